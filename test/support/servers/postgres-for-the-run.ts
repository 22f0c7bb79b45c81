import { join } from 'node:path';

import { startPostgresForTheRun } from '@foyer/prisma/testing/postgres-for-the-run';
import type { TestProject } from 'vitest/node';

import { goldenOf } from './server-process.ts';

/** Vitest's global set-up of end-to-end tests: the PostgreSQL of the run, with a database to copy for each server. */
export default (project: TestProject) =>
  startPostgresForTheRun(project, async () => join(await goldenOf('single'), 'postgres'));
