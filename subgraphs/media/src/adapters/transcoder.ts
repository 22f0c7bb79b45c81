import { availableParallelism } from 'node:os';

import { CannotRead, type RunOptions, type Transcoder } from '#ports/transcoder.ts';

import { Crashed, OverLimit, runProgram } from './run-program.ts';
import type { Tools } from './tools.ts';

/** Without this list a text file named video.mp4 can make ffmpeg open other files of this machine or of the network. */
const containers = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,mpegvideo,avi,flv,ogg,wav,mp3,flac,aac,mxf,asf';
const whitelists = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', containers];

/** A few kilobytes may decode to a picture of billions of pixels: the limit is 8K. */
const guards = [...whitelists, '-max_pixels', String(8192 * 4608)];

/**
 * Programs that are linked statically, as those from npm, crash on every transport stream: they load the converters of
 * character sets that this machine has for its own C library. Where none are found, names of services stay unconverted.
 */
export const programEnv = { GCONV_PATH: '/nonexistent' };

const GIB = 2 ** 30;

/** The exit code of ffmpeg after SIGINT or SIGTERM, which a terminal or systemd also sends it when the server stops. */
const ENDED_BY_SIGNAL = 255;

/** What ffmpeg says of a disk that can't be written. Words of a file, such as its title, are in indented lines. */
const diskFailed = /^\S.*: (No space left on device|Disk quota exceeded|Read-only file system)\s*$/m;

/** Transcodes with ffmpeg and ffprobe, which are looked up when first needed. */
export function ffmpegTranscoder(findPrograms: () => Promise<Tools>): Transcoder {
  let filters: Promise<string[]> | null = null;
  let hlsOptions: Promise<string[]> | null = null;
  const listed = (...about: string[]) => linesOf(findPrograms, about);
  return {
    async filters() {
      filters ??= listed('-filters').catch(forgetting(() => (filters = null)));
      // Such as " T.. bwdif  V->V  Deinterlace the input image."
      return new Set((await filters).flatMap((line) => /^ [A-Z.]{2,3} (\w+) +\S+->/.exec(line)?.[1] ?? []));
    },
    async hasHlsOption(option) {
      hlsOptions ??= listed('-h', 'muxer=hls').catch(forgetting(() => (hlsOptions = null)));
      return (await hlsOptions).some((line) => line.trim().startsWith(`-${option} `));
    },
    async probe(file, entries, options) {
      const args = ['-v', 'error', ...guards, '-show_entries', entries, '-of', 'json', `file:${file}`];
      const { output } = await run(await findPrograms(), 'ffprobe', args, options);
      try {
        return JSON.parse(output);
      } catch (error) {
        throw new CannotRead('ffprobe gave no answer', { cause: error });
      }
    },
    async convert({ input, before = [], after }, options) {
      const args = [
        '-hide_banner',
        '-nostdin',
        '-nostats',
        '-y',
        '-progress',
        'pipe:1',
        ...guards,
        ...before,
        '-i',
        `file:${input}`,
        ...after,
      ];
      return (await run(await findPrograms(), 'ffmpeg', args, options)).said;
    },
  };
}

/** For a `catch`: the next call asks again. */
const forgetting = (forget: () => void) => (error: unknown) => {
  forget();
  throw error;
};

/** Returns what ffmpeg says about itself. */
async function linesOf(findPrograms: () => Promise<Tools>, about: readonly string[]): Promise<string[]> {
  const options = { signal: new AbortController().signal, timeoutMs: 60_000 };
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line);
  await run(await findPrograms(), 'ffmpeg', ['-hide_banner', ...about], { ...options, onLine });
  return lines;
}

async function run(
  programs: Tools,
  name: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  { signal, timeoutMs, onSeconds, onLine }: RunOptions & { onLine?: (line: string) => void },
) {
  const program = {
    name,
    command: programs[name],
    args,
    env: programEnv,
    limits: {
      cpuSeconds: Math.ceil(timeoutMs / 1000) * availableParallelism(),
      // Frames and stacks grow with the threads, and those with the processors.
      addressBytes: (12 + Math.ceil(availableParallelism() / 4)) * GIB,
      fileBytes: name === 'ffmpeg' ? 200 * GIB : 0,
    },
    signal,
    timeoutMs,
    ...(name === 'ffmpeg' && { onLine: onLine ?? ((line: string) => reportSeconds(line, onSeconds)) }),
  };
  const { status, said, output } = await runProgram(programs, program).catch((error: unknown) => {
    const isFileFault = error instanceof OverLimit || error instanceof Crashed;
    throw isFileFault ? new CannotRead(`The file can not be read as media: ${error.message}.`) : error;
  });
  // Not the fault of the file: another attempt may succeed.
  if (status === ENDED_BY_SIGNAL) throw new Error(`${name} was ended by a signal`);
  if (status !== 0 && diskFailed.test(said))
    throw Object.assign(new Error(`${name} can not write`), { code: 'ENOSPC' });
  if (status !== 0) throw new CannotRead(lastErrorLine(name, said, args.at(-1) ?? ''), { cause: said.slice(-2_000) });
  return { said, output };
}

function reportSeconds(line: string, onSeconds: RunOptions['onSeconds']): void {
  const microseconds = /^out_time_us=(\d+)/.exec(line)?.[1];
  if (microseconds) onSeconds?.(Number(microseconds) / 1e6);
}

const WITHOUT_INDEX =
  'The file can not be read as media: it breaks off before its index (moov). A part of it is missing.';

/** Builds the message from the last meaningful line of the output, without the paths of this machine. */
function lastErrorLine(name: string, said: string, path: string): string {
  const lines = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('Conversion failed'));
  if (said.includes('moov atom not found')) return WITHOUT_INDEX;
  const last = (lines.at(-1) ?? 'no reason given').replaceAll(path, 'the file').replaceAll(/(file:)?\/\S+\//g, '');
  return `The file can not be read as media: ${name} says "${last.slice(0, 200)}".`;
}
