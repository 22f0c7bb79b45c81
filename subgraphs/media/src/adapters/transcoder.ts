import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';

import { CannotRead, type RunOptions, type Transcoder } from '#ports/transcoder.ts';

import type { Tools } from './tools.ts';

/**
 * Without these a text file that calls itself video.mp4 makes ffmpeg open other files of this
 * machine, or of the network.
 */
const containers = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,mpegvideo,avi,flv,ogg,wav,mp3,flac,aac,mxf,asf';
const whitelists = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', containers];

/** A few kilobytes may claim to be a picture of billions of pixels: 8K is the most. */
const guards = [...whitelists, '-max_pixels', String(8192 * 4608)];

/** Of one program, in bytes: what it may take of memory, and the largest file it may write. */
const limits = [`--as=${12 * 2 ** 30}`, `--fsize=${200 * 2 ** 30}`, '--core=0'];

const SAID_LIMIT = 64 * 1024;
const PROBE_LIMIT = 4 * 1024 * 1024;
/** What ffmpeg exits with after SIGINT or SIGTERM: a terminal or systemd sends them to it as well when the house is to stop. */
const TOLD_TO_END = 255;
/** Gives way to requests. */
const NICE = 10;

/** ffmpeg and ffprobe, as programs: this is the one file that runs them. */
export function ffmpegTranscoder(programs: Tools): Transcoder {
  return {
    async probe(file, entries, options) {
      const args = ['-v', 'error', ...guards, '-show_entries', entries, '-of', 'json', `file:${file}`];
      const { output } = await runProgram(programs, 'ffprobe', args, options);
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
      return (await runProgram(programs, 'ffmpeg', args, options)).said;
    },
  };
}

async function runProgram(
  programs: Tools,
  name: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  { signal, timeoutMs, onSeconds }: RunOptions,
) {
  signal.throwIfAborted();
  const tooLong = AbortSignal.timeout(timeoutMs);
  const [command, ...rest] = [...held(programs), programs[name], ...args];
  const child = spawn(command ?? name, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, tooLong]),
    killSignal: 'SIGKILL',
  });
  lower(child.pid);

  let said = '';
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-SAID_LIMIT)));
  if (name === 'ffmpeg') {
    createInterface(child.stdout).on('line', (line) => {
      const microseconds = /^out_time_us=(\d+)/.exec(line)?.[1];
      if (microseconds) onSeconds?.(Number(microseconds) / 1e6);
    });
  } else {
    child.stdout.on(
      'data',
      (chunk: Buffer) => (output = output.length < PROBE_LIMIT ? output + chunk.toString() : output),
    );
  }

  return new Promise<{ said: string; output: string }>((resolve, reject) => {
    child.once('error', (error) => {
      if (signal.aborted) return reject(signal.reason as Error);
      reject(tooLong.aborted ? new CannotRead(`${name} took longer than ${Math.round(timeoutMs / 1000)} s`) : error);
    });
    child.once('close', (status, killedBy) => {
      if (status === 0) return resolve({ said, output });
      // By someone else, or for want of memory: not the fault of the file, so that another try may do better.
      if (killedBy ?? status === TOLD_TO_END)
        return reject(new Error(`${name} was ended by ${killedBy ?? 'a signal'}`));
      reject(new CannotRead(complaint(name, said, args.at(-1) ?? ''), { cause: said.slice(-2_000) }));
    });
  });
}

/** What the program runs under: it ends with its parent, and within its limits. */
const held = ({ setpriv, prlimit }: Tools): string[] => [
  ...(prlimit ? ['prlimit', ...limits, '--'] : []),
  ...(setpriv ? ['setpriv', '--pdeathsig', 'KILL', '--'] : []),
];

/** The last line that says something, without the paths of this machine. */
function complaint(name: string, said: string, path: string): string {
  const lines = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('Conversion failed'));
  const last = (lines.at(-1) ?? 'no reason given').replaceAll(path, 'the file').replaceAll(/(file:)?\/\S+\//g, '');
  return `The file can not be read as media: ${name} says "${last.slice(0, 200)}".`;
}

function lower(pid: number | undefined) {
  try {
    if (pid) setPriority(pid, NICE);
  } catch {
    // It has ended already.
  }
}
