import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The absolute paths of the programs that read and convert media: they run without a PATH. */
export interface Tools {
  ffmpeg: string;
  ffprobe: string;
  /** `setpriv`, which ends a child with its parent: otherwise ffmpeg survives a killed Node. */
  setpriv: string | null;
  /** `prlimit`, which sets the limits of a child. */
  prlimit: string | null;
  /** LibreOffice, where it is installed together with `timeout`, which ends it should this process be killed. */
  soffice: { soffice: string; timeout: string } | null;
}

const OLDEST_SYSTEM_VERSION = 5;
/** A program is read from a cold disk while a whole server starts; one that is taken for missing is missed until the next start. */
const timeout = 60_000;

/** Finds the programs: those that are configured, else the system's from version 5 on, else those from npm. */
export async function findTools({
  ffmpegPath,
  ffprobePath,
}: { ffmpegPath?: string | undefined; ffprobePath?: string | undefined } = {}): Promise<Tools> {
  const found = ffmpegPath !== undefined && ffprobePath !== undefined ? null : await foundTools();
  const [soffice, limiter] = [await pathOf('soffice'), await working('timeout', '60', 'true')];
  return {
    ffmpeg: await named(ffmpegPath, found?.ffmpeg),
    ffprobe: await named(ffprobePath, found?.ffprobe),
    setpriv: await working('setpriv', '--pdeathsig', 'KILL', '--', 'true'),
    prlimit: await working('prlimit', '--core=0', '--', 'true'),
    soffice: soffice && limiter ? { soffice, timeout: limiter } : null,
  };
}

/** Returns the programs of the system where both are new enough, else those from npm. */
async function foundTools(): Promise<Pick<Tools, 'ffmpeg' | 'ffprobe'>> {
  const [ffmpeg, ffprobe] = [await newEnough('ffmpeg'), await newEnough('ffprobe')];
  return ffmpeg !== null && ffprobe !== null ? { ffmpeg, ffprobe } : packagedTools();
}

/** Returns the programs from npm (docs/decisions/0110). */
export const packagedTools = async (): Promise<Pick<Tools, 'ffmpeg' | 'ffprobe'>> => ({
  ffmpeg: await runnable(import('@ffmpeg-installer/ffmpeg')),
  ffprobe: await runnable(import('@ffprobe-installer/ffprobe')),
});

/** Returns the configured program, given by path or name; else the one that was found. */
const named = async (given: string | undefined, found = '') =>
  given === undefined ? found : ((await pathOf(given)) ?? given);

/** Returns the path of a program; null when there is none. */
async function pathOf(program: string): Promise<string | null> {
  const { stdout } = await run('sh', ['-c', 'command -v "$0"', program], { timeout }).catch(() => ({
    stdout: '',
  }));
  return stdout.trim() === '' ? null : resolve(stdout.trim());
}

/** Returns the path of a program that can run with these arguments; else null. */
async function working(program: string, ...args: string[]): Promise<string | null> {
  const path = await pathOf(program);
  if (path === null) return null;
  return run(path, args, { timeout }).then(
    () => path,
    () => null,
  );
}

async function newEnough(program: string): Promise<string | null> {
  return (await versionOf(program)) >= OLDEST_SYSTEM_VERSION ? pathOf(program) : null;
}

/** Returns the major version of a program; 0 when there is none. */
async function versionOf(program: string): Promise<number> {
  const { stdout } = await run(program, ['-version'], { timeout }).catch(() => ({ stdout: '' }));
  return Number(/version n?(\d+)\./.exec(stdout)?.[1] ?? 0);
}

/** Makes a program from npm executable: it is unpacked without that permission. */
async function runnable(program: Promise<{ default: { path: string } }>): Promise<string> {
  const { path } = (await program).default;
  await chmod(path, 0o755).catch(() => undefined); // the file of another user may be executable already
  return path;
}
