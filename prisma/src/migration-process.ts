/** Runs in a process of its own; started by migrate.ts, which it answers once. */
import { applyMigrations } from './schema-engine.ts';

/** What came of it: the names of the migrations, or why it failed. */
export type MigrationAnswer = { applied: string[] } | { problem: string };

const abandoned = () => process.exit(1); // who has started it is gone
process.once('disconnect', abandoned);
process.once('message', (databaseUrl: string) => {
  const answered = (answer: MigrationAnswer) =>
    void process.send?.(answer, () => process.off('disconnect', abandoned).disconnect());
  applyMigrations(databaseUrl).then(
    (applied) => answered({ applied }),
    (error: unknown) => answered({ problem: error instanceof Error ? error.message : String(error) }),
  );
});
