import { ConfigError } from '../config/config.ts';
import { whenStarterGoes } from './processes.ts';
import { sourceStack } from '../telemetry/source-stack.ts';

/** Once the requests have ended, jobs are given 6 s and the last spans 2 s. */
const STOP_LIMIT_MS = 11_000;
/** A first start on a slow machine: what it has opened is closed only after it. */
const START_LIMIT_MS = 45_000;

interface Running {
  stop(): Promise<void>;
  /** How long its requests may take to end. */
  drainMs?: number;
}

interface Run<Opened extends Running> {
  open(): Promise<Opened>;
  opened(running: Opened): void;
  /** The prefix of its error lines. */
  name?: string;
  /** How long stopping may take besides the drain. */
  stopLimitMs?: number;
}

/**
 * Runs the work of this process, and stops it when the process is told to end; a signal during the start takes effect when
 * the start is done. Ctrl-C says so, and a second one ends the process at once. The exit code is 1 when the start fails,
 * stopping takes too long, or a bug was not caught. That nobody can read what it says stops nothing.
 */
export async function run<Opened extends Running>({
  open,
  opened,
  name = 'foyer',
  stopLimitMs = STOP_LIMIT_MS,
}: Run<Opened>): Promise<void> {
  const fail = failing(name);
  // As when the log can't be written: a disk is full, or whoever reads what we say has gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const opening = open();
    const signals = stopOnSignals(opening, stopLimitMs, fail);
    const [running] = await Promise.all([opening, whenStarterGoes(() => void signals.stop())]);
    if (!signals.stopping()) opened(running);
  } catch (error) {
    fail(error);
  }
}

function stopOnSignals(opening: Promise<Running>, limitMs: number, fail: (error: unknown) => never) {
  let stopping = false;
  async function stop(code = 0, stopped = () => {}) {
    if (stopping) return;
    stopping = true;
    const limit = (ms: number) => setTimeout(() => process.exit(1), ms).unref();
    const ofStart = limit(Math.max(limitMs, START_LIMIT_MS));
    try {
      const running = await opening;
      clearTimeout(ofStart);
      limit(limitMs + (running.drainMs ?? 0));
      await running.stop();
      stopped();
      process.exit(code);
    } catch (error) {
      fail(error);
    }
  }
  process.on('SIGINT', onInterrupt(stop));
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  process.once('disconnect', () => void stop()); // of a process that was started by another one of ours
  // After an uncaught error or rejection the state of the process is unknown, so it stops; but in the usual way, and not
  // in the middle of everybody's requests.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${report(error)}\n`);
    void stop(1);
  });
  return { stop, stopping: () => stopping };
}

/** npm and pnpm forward the interrupt that they get from the terminal, which reaches us directly, too. */
const SAME_INTERRUPT_MS = 500;
/** The convention of shells: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

/** The first Ctrl-C stops the process, with a line at the beginning and one at the end; the second ends it. */
function onInterrupt(stop: (code: number, stopped: () => void) => Promise<void>): () => void {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  let firstAt: number | undefined;
  return () => {
    if (firstAt !== undefined && performance.now() - firstAt > SAME_INTERRUPT_MS) process.exit(INTERRUPTED);
    if (firstAt !== undefined) return;
    firstAt = performance.now();
    say('stopping…');
    void stop(0, () => say('stopped'));
  };
}

/** Writes a configuration error as one line, and any other error, which is a bug, with its stack. */
const failing =
  (name: string) =>
  (error: unknown): never => {
    process.stderr.write(error instanceof ConfigError ? `${name}: ${error.message}\n` : `${report(error)}\n`);
    process.exit(1);
  };

function report(error: unknown): string {
  return error instanceof Error ? sourceStack(error.stack ?? error.message) : String(error);
}
