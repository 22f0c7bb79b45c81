import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** LibreOffice hangs now and then; it is then killed with all that it has started. */
const TIMEOUT_SECONDS = 60;

/**
 * The first slide of a presentation as a PDF, by LibreOffice; null when it can not.
 *
 * With a profile of its own: two that share one get in each other's way.
 */
export async function slidesToPdf(
  file: string,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<string | null> {
  const [profile, output] = [join(folder, 'office-profile'), join(folder, 'office-output')];
  await mkdir(join(profile, 'user'), { recursive: true });
  await mkdir(output, { recursive: true });
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), settings);

  const office = spawn(
    'timeout',
    ['--signal=KILL', String(TIMEOUT_SECONDS), 'soffice', ...orders(profile, output), file],
    {
      stdio: 'ignore',
      detached: true, // a group of its own: its leader is `timeout`, and a kill of the group leaves nobody
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, TMPDIR: folder }, // none of our secrets
    },
  );
  const end = () => office.pid && process.kill(-office.pid, 'SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  try {
    await once(office, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  signal.throwIfAborted();
  const pdf = (await readdir(output)).find((name) => name.endsWith('.pdf'));
  return pdf ? join(output, pdf) : null;
}

const orders = (profile: string, output: string) => [
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

/** A presentation may name files of this machine and addresses of its network: none is opened, and no macro runs. */
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
${setting('Scripting', 'MacroSecurityLevel', 3)}
${setting('Scripting', 'DisableMacrosExecution', 'true')}
${setting('Scripting', 'BlockUntrustedRefererLinks', 'true')}
${setting('Scripting', 'DisableActiveContent', 'true')}
</oor:items>
`;
