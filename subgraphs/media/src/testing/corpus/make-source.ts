// For tests: makes the files of the corpus.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import { madeByFfmpeg } from '../made-by-ffmpeg.ts';
import { ownTools } from '../own-tools.ts';
import type { OddSource } from './source.ts';

/** Makes an odd source; returns its bytes. */
export async function makeSource({ file, made, madeAs = extname(file).slice(1), edit }: OddSource): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-odd-'));
  try {
    const output = join(folder, `made.${madeAs}`);
    const parts: Buffer[] = [];
    for (const args of typeof made === 'string' ? [made] : made) {
      // Only a newer one encodes AV1 in real time.
      await madeByFfmpeg(output, args.split(' '), args.includes('libaom-av1') ? (await ownTools()).ffmpeg : undefined);
      parts.push(await readFile(output));
    }
    const bytes = Buffer.concat(parts);
    return edit ? edit(bytes) : bytes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
