import { ConfigError } from '@foyer/shared/config';

import { openHouse, type House } from './house.ts';
import { whenStarterGoes } from './processes.ts';

const STOP_LIMIT_MS = 9_000;

try {
  const opening = openHouse(process.env);
  const [house] = await Promise.all([opening, stopOnSignals(opening)]);
  process.stdout.write(house.welcome);
} catch (error) {
  fail(error);
}

/** Also while it opens: it then stops as soon as it stands. */
async function stopOnSignals(opening: Promise<House>) {
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
