import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEmbeddedPostgres } from './embedded.ts';
import { createMigration } from './schema-engine.ts';

const usage = 'usage: pnpm db:migrate NAME';

/** Runs a command with a temporary database. */
async function withScratchDatabase<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-migrate-'));
  const postgres = await startEmbeddedPostgres(folder, { durable: false });
  try {
    return await use(postgres.url);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const [command, name] = process.argv.slice(2);
if (command === 'migrate' && name) {
  const folder = await withScratchDatabase((url) => createMigration(url, name));
  process.stdout.write(folder ? `created ${folder}\n` : 'the models and the migrations agree: nothing to do\n');
} else {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 1;
}
