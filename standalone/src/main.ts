import { ConfigError } from '@foyer/shared/config';

import { openHouse } from './house.ts';

const STOP_LIMIT_MS = 9_000;

try {
  const house = await openHouse(process.env);
  process.stdout.write(house.welcome);

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
      house.stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
    });
  }
} catch (error) {
  fail(error);
}

/** A mistake in the configuration is one line; anything else is a bug, and its whole story is wanted. */
function fail(error: unknown): never {
  process.stderr.write(error instanceof ConfigError ? `foyer: ${error.message}\n` : `${report(error)}\n`);
  process.exit(1);
}

function report(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
