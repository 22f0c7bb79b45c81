import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the programs are that read and convert media: whole paths, since they run without a PATH. */
export interface Tools {
  ffmpeg: string;
  ffprobe: string;
  /** `setpriv`, which ends a child with its parent: ffmpeg survives a killed Node. */
  setpriv: string | null;
  /** `prlimit`, which holds a child to limits. */
  prlimit: string | null;
  /** LibreOffice, where it is installed and `timeout` can end it should nobody else be left to. */
  soffice: { soffice: string; timeout: string } | null;
}

const OLDEST_SYSTEM_VERSION = 5;

/** Those that are named, else the system's from version 5 on, else those that npm brought along. */
export async function findTools({
  ffmpegPath,
  ffprobePath,
}: { ffmpegPath?: string | undefined; ffprobePath?: string | undefined } = {}): Promise<Tools> {
  const [ffmpeg, ffprobe] = [await newEnough('ffmpeg'), await newEnough('ffprobe')];
  const ofSystem = ffmpeg !== null && ffprobe !== null;
  const [soffice, timeout] = [await pathOf('soffice'), await working('timeout', '1', 'true')];
  return {
    ffmpeg: await named(ffmpegPath, ofSystem ? ffmpeg : await runnable(import('@ffmpeg-installer/ffmpeg'))),
    ffprobe: await named(ffprobePath, ofSystem ? ffprobe : await runnable(import('@ffprobe-installer/ffprobe'))),
    setpriv: await working('setpriv', '--pdeathsig', 'KILL', '--', 'true'),
    prlimit: await working('prlimit', '--core=0', '--', 'true'),
    soffice: soffice && timeout ? { soffice, timeout } : null,
  };
}

/** What the operator names, also by its name alone; else `other`. */
const named = async (given: string | undefined, other: string) =>
  given === undefined ? other : ((await pathOf(given)) ?? given);

/** Where a program is; null when it is not there. */
async function pathOf(program: string): Promise<string | null> {
  const { stdout } = await run('sh', ['-c', 'command -v "$0"', program], { timeout: 10_000 }).catch(() => ({
    stdout: '',
  }));
  return stdout.trim() === '' ? null : resolve(stdout.trim());
}

/** Where a program is that succeeds in something; else null. */
async function working(program: string, ...args: string[]): Promise<string | null> {
  const path = await pathOf(program);
  if (path === null) return null;
  return run(path, args, { timeout: 10_000 }).then(
    () => path,
    () => null,
  );
}

async function newEnough(program: string): Promise<string | null> {
  return (await versionOf(program)) >= OLDEST_SYSTEM_VERSION ? pathOf(program) : null;
}

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
