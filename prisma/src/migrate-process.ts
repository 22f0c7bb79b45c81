/** Runs in a process of its own, started by migrate.ts: the schema engine would stay in the memory of the server. */
import { answerOnce } from '@foyer/shared/process/run-once';
import { openErrorLog } from '@foyer/shared/telemetry/log';

import type { LockHolder } from './migration-lock.ts';
import { applyMigrations } from './schema-engine.ts';

interface Input {
  databaseUrl: string;
  logLevel: string;
}

answerOnce(({ databaseUrl, logLevel }: Input) => {
  const log = openErrorLog(logLevel); // standard output is for the results of commands
  const report = (holder: LockHolder) =>
    log.warn({ holder }, 'migrations wait for another session, which has their lock');
  return applyMigrations(databaseUrl, { report });
});
