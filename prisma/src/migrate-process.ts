/** Runs in a process of its own, started by migrate.ts: the schema engine would stay in the memory of the server. */
import { answerOnce } from '@foyer/shared/process/run-once';

import { applyMigrations } from './schema-engine.ts';

answerOnce(({ databaseUrl }: { databaseUrl: string }) => applyMigrations(databaseUrl));
