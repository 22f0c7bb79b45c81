import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { findTools } from '@foyer/media/tools';

import { failed, ok, TIMEOUT_MS, reasonOf, warning, type Finding } from './finding.ts';

const run = promisify(execFile);

/** What processing needs from ffmpeg. */
const needed = {
  '-encoders': ['libx264', 'aac', 'mjpeg'],
  '-decoders': ['h264', 'hevc', 'aac'],
  '-filters': ['loudnorm', 'scale'],
};
const OLDEST = 5;

/** Checks the programs that read and convert media, and their features. */
export async function checkTools({ FFMPEG_PATH, FFPROBE_PATH }: NodeJS.ProcessEnv): Promise<Finding[]> {
  const tools = await findTools({ ffmpegPath: FFMPEG_PATH || undefined, ffprobePath: FFPROBE_PATH || undefined });
  return [
    await checkFfmpeg(tools.ffmpeg),
    await checkProgram('ffprobe', tools.ffprobe, 'FFPROBE_PATH'),
    tools.soffice
      ? ok('soffice', 'LibreOffice draws previews of slides')
      : warning(
          'soffice',
          'LibreOffice is missing',
          'install libreoffice-impress: without it slides show the picture they bring along',
        ),
    tools.setpriv && tools.prlimit
      ? ok('setpriv, prlimit', 'child processes are limited, and end with the server')
      : warning('setpriv, prlimit', 'missing', 'install util-linux: without it ffmpeg may outlive a killed server'),
  ];
}

async function checkFfmpeg(path: string): Promise<Finding> {
  const found = await checkProgram('ffmpeg', path, 'FFMPEG_PATH');
  if (found.state === 'failed') return found;
  const missing: string[] = [];
  for (const [list, names] of Object.entries(needed)) {
    const { stdout } = await run(path, ['-hide_banner', list], { timeout: TIMEOUT_MS });
    const listed = new Set(stdout.split('\n').map((line) => line.trim().split(/\s+/)[1]));
    missing.push(...names.filter((name) => !listed.has(name)));
  }
  if (missing.length === 0) return found;
  return failed('ffmpeg', `${path} lacks ${missing.join(', ')}`, "install Debian's ffmpeg, or set FFMPEG_PATH");
}

async function checkProgram(name: string, path: string, variable: string): Promise<Finding> {
  try {
    const { stdout } = await run(path, ['-version'], { timeout: TIMEOUT_MS });
    const version = /version (\S+)/.exec(stdout)?.[1] ?? 'unknown';
    const old = Number(/^n?(\d+)\./.exec(version)?.[1] ?? OLDEST) < OLDEST;
    const cure = "install Debian's ffmpeg (version 5 or stack): the one that npm brings has no fixes since 2018";
    return old ? warning(name, `version ${version}`, cure) : ok(name, `version ${version}`);
  } catch (error) {
    return failed(name, `${path} does not run: ${reasonOf(error)}`, `install Debian's ffmpeg, or mend ${variable}`);
  }
}
