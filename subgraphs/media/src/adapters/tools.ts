import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the programs are that read and convert media. */
export interface Tools {
  ffmpeg: string;
  ffprobe: string;
  /** Whether `setpriv` can end a child with its parent: ffmpeg survives a killed Node. */
  setpriv: boolean;
  /** Whether `prlimit` can hold a child to limits of memory and file size. */
  prlimit: boolean;
  /** LibreOffice, where it is installed and `timeout` can end it with all that it starts. */
  soffice: boolean;
}

const OLDEST_SYSTEM_VERSION = 5;

/** Those that are named, else the system's from version 5 on, else those that npm brought along. */
export async function findTools({
  ffmpegPath,
  ffprobePath,
}: { ffmpegPath?: string | undefined; ffprobePath?: string | undefined } = {}): Promise<Tools> {
  const ofSystem =
    (await versionOf('ffmpeg')) >= OLDEST_SYSTEM_VERSION && (await versionOf('ffprobe')) >= OLDEST_SYSTEM_VERSION;
  return {
    ffmpeg: ffmpegPath ?? (ofSystem ? 'ffmpeg' : await runnable(import('@ffmpeg-installer/ffmpeg'))),
    ffprobe: ffprobePath ?? (ofSystem ? 'ffprobe' : await runnable(import('@ffprobe-installer/ffprobe'))),
    setpriv: await runs('setpriv', '--pdeathsig', 'KILL', '--', 'true'),
    prlimit: await runs('prlimit', '--core=0', '--', 'true'),
    soffice: (await runs('timeout', '1', 'true')) && (await runs('sh', '-c', 'command -v soffice')),
  };
}

const runs = (program: string, ...args: string[]): Promise<boolean> =>
  run(program, args, { timeout: 10_000 }).then(
    () => true,
    () => false,
  );

/** The major version of a program; 0 when there is none. */
async function versionOf(program: string): Promise<number> {
  const { stdout } = await run(program, ['-version'], { timeout: 10_000 }).catch(() => ({ stdout: '' }));
  return Number(/version n?(\d+)\./.exec(stdout)?.[1] ?? 0);
}

/** npm unpacks these programs without the right to be run. */
async function runnable(program: Promise<{ default: { path: string } }>): Promise<string> {
  const { path } = (await program).default;
  await chmod(path, 0o755).catch(() => undefined); // another user's file may be right already
  return path;
}
