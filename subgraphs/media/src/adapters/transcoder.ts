import { availableParallelism } from 'node:os';

import { CannotRead, type RunOptions, type Transcoder } from '#ports/transcoder.ts';

import { Crashed, OverLimit, runProgram } from './run-program.ts';
import type { Tools } from './tools.ts';

/**
 * Without these a text file that calls itself video.mp4 makes ffmpeg open other files of this
 * machine, or of the network.
 */
const containers = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,mpegvideo,avi,flv,ogg,wav,mp3,flac,aac,mxf,asf';
const whitelists = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', containers];

/** A few kilobytes may claim to be a picture of billions of pixels: 8K is the most. */
const guards = [...whitelists, '-max_pixels', String(8192 * 4608)];

const GIB = 2 ** 30;

/** What ffmpeg exits with after SIGINT or SIGTERM: a terminal or systemd sends them to it as well when the house is to stop. */
const TOLD_TO_END = 255;
/** ffmpeg and ffprobe, as programs; looked for when first needed. */
export function ffmpegTranscoder(findPrograms: () => Promise<Tools>): Transcoder {
  return {
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

async function run(
  programs: Tools,
  name: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  { signal, timeoutMs, onSeconds }: RunOptions,
) {
  const program = {
    name,
    command: programs[name],
    args,
    limits: {
      cpuSeconds: Math.ceil(timeoutMs / 1000) * availableParallelism(),
      // Threads, and with them frames and stacks, are as many as there are processors.
      addressBytes: (12 + Math.ceil(availableParallelism() / 4)) * GIB,
      fileBytes: name === 'ffmpeg' ? 200 * GIB : 0,
    },
    signal,
    timeoutMs,
    ...(name === 'ffmpeg' && { onLine: (line: string) => tellSeconds(line, onSeconds) }),
  };
  const { status, said, output } = await runProgram(programs, program).catch((error: unknown) => {
    const isOfTheFile = error instanceof OverLimit || error instanceof Crashed;
    throw isOfTheFile ? new CannotRead(`The file can not be read as media: ${error.message}.`) : error;
  });
  // By someone else: not the fault of the file, so that another try may do better.
  if (status === TOLD_TO_END) throw new Error(`${name} was ended by a signal`);
  if (status !== 0) throw new CannotRead(complaint(name, said, args.at(-1) ?? ''), { cause: said.slice(-2_000) });
  return { said, output };
}

function tellSeconds(line: string, onSeconds: RunOptions['onSeconds']): void {
  const microseconds = /^out_time_us=(\d+)/.exec(line)?.[1];
  if (microseconds) onSeconds?.(Number(microseconds) / 1e6);
}

/** The last line that says something, without the paths of this machine. */
function complaint(name: string, said: string, path: string): string {
  const lines = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('Conversion failed'));
  const last = (lines.at(-1) ?? 'no reason given').replaceAll(path, 'the file').replaceAll(/(file:)?\/\S+\//g, '');
  return `The file can not be read as media: ${name} says "${last.slice(0, 200)}".`;
}
