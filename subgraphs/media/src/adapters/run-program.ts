import { spawn, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';

import type { Tools } from './tools.ts';

/** The resource limits of a program. */
interface Limits {
  /** CPU time of all its threads together. */
  cpuSeconds: number;
  /** Address space: memory, and what is only reserved. */
  addressBytes: number;
  /** Writable memory; for programs that reserve much more address space than they use. */
  dataBytes?: number;
  /** The largest file that it may write. */
  fileBytes: number;
}

export interface Program {
  /** Its name in messages. */
  name: string;
  /** An absolute path: there is no PATH. */
  command: string;
  args: readonly string[];
  limits: Limits;
  /** Its whole environment. */
  env?: Record<string, string>;
  signal: AbortSignal;
  timeoutMs: number;
  /** Called with each line of standard output; without it, the first 4 MiB are returned. */
  onLine?: (line: string) => void;
  /** Ignores all output: its children may keep the output open. */
  silent?: boolean;
}

export interface Ended {
  status: number;
  /** The last 64 KiB of standard error. */
  said: string;
  output: string;
}

/** A program exceeded a limit of time, CPU or disk. Retrying won't help. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit';
}

/** A program crashed on its input. */
export class Crashed extends Error {
  override readonly name = 'Crashed';
}

const SAID_LIMIT = 64 * 1024;
const OUTPUT_LIMIT = 4 * 1024 * 1024;
/** Lower priority than the server itself. */
const NICE = 10;
/** Signals of a person, of systemd, or of the kernel when memory runs out: not the fault of the input. */
const externalSignals = new Set<string>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);
/** ffmpeg exits normally on SIGXCPU and SIGXFSZ, and prints this. */
const limitReached = /received signal 2[45]\b/;

/**
 * Runs a program on an untrusted file: without our environment, within limits, at low priority, and ended with this
 * process. All such programs are started here.
 *
 * @throws {OverLimit} after the program was ended
 * @throws {Crashed}
 * @throws the reason of `signal`, and any other failure, which may be temporary
 */
export async function runProgram(tools: Pick<Tools, 'setpriv' | 'prlimit'>, program: Program): Promise<Ended> {
  const { name, command, args, limits, env = {}, signal, timeoutMs, silent = false } = program;
  signal.throwIfAborted();
  const [first = command, ...rest] = [...limited(tools, limits), command, ...args];
  // A process group of its own, so that its children end with it.
  const child = spawn(first, rest, { stdio: silent ? 'ignore' : ['ignore', 'pipe', 'pipe'], env, detached: true });
  lowerPriority(child.pid);
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  const end = () => endGroup(child.pid);
  either.addEventListener('abort', end, { once: true });
  const heard = collectOutput(child, program.onLine);
  try {
    const [status, killedBy] = await endOf(child);
    signal.throwIfAborted();
    if (timeout.aborted) throw new OverLimit(`${name} took longer than ${Math.round(timeoutMs / 1000)} s`);
    if (killedBy === 'SIGXCPU' || killedBy === 'SIGXFSZ' || limitReached.test(heard.said))
      throw new OverLimit(`${name} took more of the processor or of the disk than it may`);
    if (killedBy && !externalSignals.has(killedBy)) throw new Crashed(`${name} crashed with ${killedBy}`);
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

function collectOutput(child: ChildProcess, onLine: Program['onLine']) {
  const heard = { said: '', output: '' };
  child.stderr?.on('data', (chunk: Buffer) => (heard.said = (heard.said + chunk.toString()).slice(-SAID_LIMIT)));
  if (child.stdout && onLine) createInterface(child.stdout).on('line', onLine);
  else
    child.stdout?.on('data', (chunk: Buffer) => {
      if (heard.output.length < OUTPUT_LIMIT) heard.output += chunk.toString();
    });
  return heard;
}

/** For systems without util-linux, such as macOS: a shell can limit all but memory. File sizes are in blocks of 512 bytes. */
const shellLimits = 'ulimit -S -t "$1"; ulimit -H -t "$2"; ulimit -f "$3"; ulimit -c 0; shift 3; exec "$@"';

/** Returns the command prefix that enforces the limits and ends the program with its parent. */
function limited({ setpriv, prlimit }: Pick<Tools, 'setpriv' | 'prlimit'>, limits: Limits): string[] {
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

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, NICE);
  } catch {
    // It has ended already.
  }
}
