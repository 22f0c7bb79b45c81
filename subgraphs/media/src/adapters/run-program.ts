import { spawn, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';

import type { Tools } from './tools.ts';

/** What a program may take. */
interface Limits {
  /** Of all its threads together. */
  cpuSeconds: number;
  /** Of addresses: memory, and what is only set aside. */
  addressBytes: number;
  /** Of memory that it may write to; where it sets much more addresses aside than it uses. */
  dataBytes?: number;
  /** Of the largest file that it may write. */
  fileBytes: number;
}

export interface Program {
  /** What it is called in what is said of it. */
  name: string;
  /** With its whole path: there is no PATH. */
  command: string;
  args: readonly string[];
  limits: Limits;
  /** All that it sees of an environment. */
  env?: Record<string, string>;
  signal: AbortSignal;
  timeoutMs: number;
  /** Hears standard output line by line; else its first 4 MiB are returned. */
  onLine?: (line: string) => void;
  /** Nothing of what it says is heard: it may leave children that hold its output open. */
  silent?: boolean;
}

export interface Ended {
  status: number;
  /** On standard error, the last 64 KiB. */
  said: string;
  output: string;
}

/** A program took more than it may have: of time, of the processor, of a disk. Trying again won't help. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit';
}

/** A program fell: what it was given brought it down. */
export class Crashed extends Error {
  override readonly name = 'Crashed';
}

const SAID_LIMIT = 64 * 1024;
const OUTPUT_LIMIT = 4 * 1024 * 1024;
/** Gives way to requests. */
const NICE = 10;
/** By a person, by systemd, or by the kernel for want of memory: not the fault of what it was given. */
const byOthers = new Set<string>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);
/** ffmpeg ends in good order even then, and says why. */
const limitReached = /received signal 2[45]\b/;

/**
 * Runs a program on what strangers have sent: without our environment, within limits, behind requests, and no longer
 * than this process. This is the one place that starts such programs.
 *
 * @throws {OverLimit} after it was ended
 * @throws {Crashed}
 * @throws the reason of `signal`, and any other failure, which may pass
 */
export async function runProgram(tools: Pick<Tools, 'setpriv' | 'prlimit'>, program: Program): Promise<Ended> {
  const { name, command, args, limits, env = {}, signal, timeoutMs, silent = false } = program;
  signal.throwIfAborted();
  const [first = command, ...rest] = [...held(tools, limits), command, ...args];
  // A group of its own: what it starts ends with it.
  const child = spawn(first, rest, { stdio: silent ? 'ignore' : ['ignore', 'pipe', 'pipe'], env, detached: true });
  lower(child.pid);
  const tooLong = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, tooLong]);
  const end = () => endGroup(child.pid);
  either.addEventListener('abort', end, { once: true });
  const heard = hear(child, program.onLine);
  try {
    const [status, killedBy] = await endOf(child);
    signal.throwIfAborted();
    if (tooLong.aborted) throw new OverLimit(`${name} took longer than ${Math.round(timeoutMs / 1000)} s`);
    if (killedBy === 'SIGXCPU' || killedBy === 'SIGXFSZ' || limitReached.test(heard.said))
      throw new OverLimit(`${name} took more of the processor or of the disk than it may`);
    if (killedBy && !byOthers.has(killedBy)) throw new Crashed(`${name} fell by ${killedBy}`);
    if (status === null) throw new Error(`${name} was ended by ${killedBy ?? 'a signal'}`);
    return { status, ...heard };
  } finally {
    either.removeEventListener('abort', end);
  }
}

const endOf = (child: ChildProcess) =>
  new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, killedBy) => resolve([status, killedBy]));
  });

function hear(child: ChildProcess, onLine: Program['onLine']) {
  const heard = { said: '', output: '' };
  child.stderr?.on('data', (chunk: Buffer) => (heard.said = (heard.said + chunk.toString()).slice(-SAID_LIMIT)));
  if (child.stdout && onLine) createInterface(child.stdout).on('line', onLine);
  else
    child.stdout?.on('data', (chunk: Buffer) => {
      if (heard.output.length < OUTPUT_LIMIT) heard.output += chunk.toString();
    });
  return heard;
}

/** Systems without util-linux, such as macOS: a shell can limit all but memory. It counts files in blocks of 512 bytes. */
const shellLimits = 'ulimit -S -t "$1"; ulimit -H -t "$2"; ulimit -f "$3"; ulimit -c 0; shift 3; exec "$@"';

/** What the program runs under: it ends with its parent, and within its limits. */
function held({ setpriv, prlimit }: Pick<Tools, 'setpriv' | 'prlimit'>, limits: Limits): string[] {
  const { cpuSeconds, addressBytes, dataBytes, fileBytes } = limits;
  const most = [`--as=${addressBytes}`, `--cpu=${cpuSeconds}:${cpuSeconds + 5}`, `--fsize=${fileBytes}`, '--core=0'];
  const within = prlimit
    ? [prlimit, ...most, ...(dataBytes ? [`--data=${dataBytes}`] : []), '--']
    : ['/bin/sh', '-c', shellLimits, 'sh', ...[cpuSeconds, cpuSeconds + 5, Math.ceil(fileBytes / 512)].map(String)];
  return [...within, ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : [])];
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function lower(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, NICE);
  } catch {
    // It has ended already.
  }
}
