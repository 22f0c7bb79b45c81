import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Crashed, OverLimit, runProgram } from '../run-program.ts';
import type { Tools } from '../tools.ts';

/** LibreOffice hangs now and then; it is then killed with its children. */
const TIMEOUT_SECONDS = 60;
const GIB = 2 ** 30;

/**
 * Converts the first slide of a presentation to PDF with LibreOffice; null when that fails. Each run has a profile of its
 * own: concurrent runs that share one fail.
 */
export async function slidesToPdf(
  { prlimit }: Pick<Tools, 'prlimit'>,
  { soffice, timeout }: NonNullable<Tools['soffice']>,
  { file, folder, signal }: { file: string; folder: string; signal: AbortSignal },
): Promise<string | null> {
  const [profile, output] = [join(folder, 'office-profile'), join(folder, 'office-output')];
  await mkdir(join(profile, 'user'), { recursive: true });
  await mkdir(output, { recursive: true });
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), settings);

  // Children of LibreOffice would outlive a killed process of ours; `timeout` survives it too and ends them all.
  const program = {
    name: 'LibreOffice',
    command: timeout,
    args: ['--signal=KILL', String(TIMEOUT_SECONDS + 5), soffice, ...optionsFor(profile, output), file],
    limits: { cpuSeconds: TIMEOUT_SECONDS, addressBytes: 4 * GIB, fileBytes: GIB },
    env: { HOME: folder, TMPDIR: folder },
    signal,
    timeoutMs: TIMEOUT_SECONDS * 1000,
    silent: true,
  };
  await runProgram({ prlimit, setpriv: null }, program).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof OverLimit || error instanceof Crashed)) throw error;
  });
  const pdf = (await readdir(output)).find((name) => name.endsWith('.pdf'));
  return pdf ? join(output, pdf) : null;
}

const optionsFor = (profile: string, output: string) => [
  `-env:UserInstallation=${pathToFileURL(profile).href}`,
  '--headless',
  '--norestore',
  '--nolockcheck',
  '--convert-to',
  'pdf:impress_pdf_Export:{"PageRange":{"type":"string","value":"1"}}',
  '--outdir',
  output,
];

const setting = (path: string, name: string, value: string | number) =>
  `<item oor:path="/org.openoffice.Office.Common/Security/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;

/** Blocks macros, and references to files of this machine and addresses of its network. */
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
${setting('Scripting', 'MacroSecurityLevel', 3)}
${setting('Scripting', 'DisableMacrosExecution', 'true')}
${setting('Scripting', 'BlockUntrustedRefererLinks', 'true')}
${setting('Scripting', 'DisableActiveContent', 'true')}
</oor:items>
`;
