import { ConfigError } from '../config/config.ts';
import { whenStarterGoes } from './processes.ts';
import { sourceStack } from '../telemetry/source-stack.ts';

/** Once the requests have ended, jobs are given 6 s and the last spans 2 s. */
const STOP_LIMIT_MS = 11_000;

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
 * the start is done. The exit code is 1 when the start fails, stopping takes too long, or a bug was not caught.
 */
export async function run<Opened extends Running>({
  open,
  opened,
  name = 'foyer',
  stopLimitMs = STOP_LIMIT_MS,
}: Run<Opened>): Promise<void> {
  const fail = failing(name);
  try {
    const opening = open();
    const [running] = await Promise.all([opening, stopOnSignals(opening, stopLimitMs, fail)]);
    opened(running);
  } catch (error) {
    fail(error);
  }
}

async function stopOnSignals(opening: Promise<Running>, limitMs: number, fail: (error: unknown) => never) {
  let stopping = false;
  async function stop(code = 0) {
    if (stopping) return;
    stopping = true;
    const limit = (ms: number) => setTimeout(() => process.exit(1), ms).unref();
    const ofStart = limit(limitMs);
    try {
      const running = await opening;
      clearTimeout(ofStart);
      limit(limitMs + (running.drainMs ?? 0));
      await running.stop();
      process.exit(code);
    } catch (error) {
      fail(error);
    }
  }
  process.on('SIGINT', () => void stop()).on('SIGTERM', () => void stop());
  process.once('disconnect', () => void stop()); // of a process that was started by another one of ours
  // After an uncaught error or rejection the state of the process is unknown, so it stops; but in the usual way, and not
  // in the middle of everybody's requests.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${report(error)}\n`);
    void stop(1);
  });
  await whenStarterGoes(() => void stop());
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
