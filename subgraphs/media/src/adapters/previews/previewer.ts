import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { CannotPreview, type Previewer } from '#ports/previewer.ts';

import { Crashed, OverLimit, runProgram } from '../run-program.ts';
import { slidesToPdf } from './slides-to-pdf.ts';
import type { Tools } from '../tools.ts';

const GIB = 2 ** 30;
const MIB = 2 ** 20;

/** The limits of one preview. Node and PDFium reserve many more addresses than they use. */
const limits = { cpuSeconds: 30, addressBytes: 12 * GIB, dataBytes: 1.5 * GIB, fileBytes: 50 * MIB };
/** Generous: on a busy machine a program waits longer than it works. */
const TIMEOUT_MS = 90_000;
/** The exit code of `draw-preview.ts` for a file that can't be drawn. */
const CANNOT_DRAW = 3;
/** The same when the disk refuses the preview; it says the code of the error, such as ENOSPC. */
const CANNOT_WRITE = 4;

const drawer = fileURLToPath(new URL('./draw-preview.ts', import.meta.url));
const Size = z.object({ width: z.number(), height: z.number() });

type Drawn = z.output<typeof Size>;

type Programs = Pick<Tools, 'soffice' | 'setpriv' | 'prlimit'>;

/** Draws previews with sharp and PDFium in a separate program; those of slides with LibreOffice, where installed. */
export function previewer(findPrograms: () => Promise<Programs>): Previewer {
  async function draw(
    what: 'image' | 'pdf' | 'slides',
    file: string,
    preview: string,
    signal: AbortSignal,
  ): Promise<Drawn> {
    const node = ['--max-old-space-size=256', '--disable-wasm-trap-handler', drawer];
    const { status, said, output } = await runProgram(await findPrograms(), {
      name: 'drawing it',
      command: process.execPath,
      args: [...node, what, file, preview],
      limits,
      env: { HOME: dirname(preview) }, // where fontconfig may write its cache
      signal,
      timeoutMs: TIMEOUT_MS,
    }).catch((error: unknown) => {
      const isFileFault = error instanceof OverLimit || error instanceof Crashed;
      throw isFileFault ? new CannotPreview(`the file can not be drawn: ${error.message}`) : error;
    });
    if (status === CANNOT_DRAW) throw new CannotPreview('the file can not be drawn', { cause: said });
    if (status === CANNOT_WRITE)
      throw Object.assign(new Error('the preview can not be written'), { code: said.trim() });
    if (status !== 0) throw new Error('the program that draws previews failed', { cause: said });
    return Size.parse(JSON.parse(output));
  }

  return {
    ofImage: (file, preview, signal) => draw('image', file, preview, signal),
    ofPdf: async (file, preview, signal) => void (await draw('pdf', file, preview, signal)),
    async ofSlides(file, preview, { folder, signal }) {
      const tools = await findPrograms();
      const pdf = tools.soffice ? await slidesToPdf(tools, tools.soffice, { file, folder, signal }) : null;
      await (pdf ? draw('pdf', pdf, preview, signal) : draw('slides', file, preview, signal));
    },
  };
}
