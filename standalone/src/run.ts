import { ConfigError } from '@foyer/shared/config';

import { whenStarterGoes } from './processes.ts';

const STOP_LIMIT_MS = 9_000;

interface Running {
  stop(): Promise<void>;
}

/**
 * Opens what this process is for, and stops it when the process is told to end: also while it opens, and then as soon
 * as it stands. The process ends with 1 when it can't be opened, or takes too long to stop.
 */
export async function run<Opened extends Running>(
  open: () => Promise<Opened>,
  opened: (running: Opened) => void,
): Promise<void> {
  try {
    const opening = open();
    const [running] = await Promise.all([opening, stopOnSignals(opening)]);
    opened(running);
  } catch (error) {
    fail(error);
  }
}

async function stopOnSignals(opening: Promise<Running>) {
  let stopping = false;
  async function stop() {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    try {
      await (await opening).stop();
      process.exit(0);
    } catch (error) {
      fail(error);
    }
  }
  process.on('SIGINT', () => void stop()).on('SIGTERM', () => void stop());
  process.once('disconnect', () => void stop()); // of a process that was started by another one of ours
  await whenStarterGoes(() => void stop());
}

/** A mistake in the configuration is one line; anything else is a bug, and its whole story is wanted. */
function fail(error: unknown): never {
  process.stderr.write(error instanceof ConfigError ? `foyer: ${error.message}\n` : `${report(error)}\n`);
  process.exit(1);
}

function report(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
