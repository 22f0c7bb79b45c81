/**
 * Which limit of one PostgreSQL is met first by what Foyer asks of it, on an empty, durable database:
 *
 *     pnpm bench:database-limits [--seconds 4]
 *
 * 1. small commits per second, and the same with a NOTIFY in each: PostgreSQL lets transactions that notify commit one
 *    after another, so they can't share a flush of the log;
 * 2. the same while many connections listen: each is woken by each notification;
 * 3. jobs per second through the queue: enqueued one by one in transactions, and taken and completed.
 *
 * docs/scaling.md says what follows.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { openDatabase } from '@foyer/prisma/client';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { defineJob, worker } from '@foyer/shared/jobs/job';
import { openJobs } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';
import { Client, Pool } from 'pg';
import { z } from 'zod';

import { print, printFacts } from './print.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '4' } } });
const seconds = Number(values.seconds);
const WARM_SECONDS = 1;
const CLIENTS = [1, 8, 32];
const LISTENERS = [1, 10, 40];
const WORKERS = 8;

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
const postgres = await startEmbeddedPostgres(folder);
const pool = new Pool({ connectionString: postgres.url, max: Math.max(...CLIENTS) });
pool.on('error', () => undefined); // at the end the server may be gone before a connection is

/** A job that does nothing. */
const nothing = defineJob({
  name: 'bench.do-nothing',
  data: z.object({ of: z.string() }),
  retries: 0,
  retryDelaySeconds: 1,
});

const COMMIT = 'INSERT INTO fact (text) VALUES ($1)';
const COMMIT_AND_NOTIFY = `WITH fact AS (INSERT INTO fact (text) VALUES ($1) RETURNING id) SELECT pg_notify('facts', id::text) FROM fact`;

try {
  await pool.query('CREATE TABLE fact (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)');
  print('commits per second, by clients');
  for (const clients of CLIENTS) {
    const plain = await commits(COMMIT, clients);
    const notifying = await commits(COMMIT_AND_NOTIFY, clients);
    printFacts(
      `${clients} clients`,
      `${plain} plain`,
      `${notifying} with NOTIFY`,
      `${ratio(notifying, plain)} of plain`,
    );
  }
  print('\ncommits with NOTIFY per second, by listeners; 8 clients');
  for (const listeners of LISTENERS) {
    const listening = await Promise.all(Array.from({ length: listeners }, () => listen()));
    printFacts(`${listeners} listeners`, `${await commits(COMMIT_AND_NOTIFY, 8)}`);
    await Promise.all(listening.map((client) => client.end()));
  }
  print(`\njobs per second, ${WORKERS} at a time`);
  const { enqueued, completed } = await jobs();
  printFacts('the queue', `${enqueued} enqueued in transactions of their own`, `${completed} taken and completed`);
} finally {
  await pool.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Runs a statement by so many clients at once; returns how many a second, after the warm-up. */
async function commits(statement: string, clients: number): Promise<number> {
  return atOnce(clients, () => pool.query(statement, ['x'.repeat(200)]));
}

async function atOnce(clients: number, one: () => Promise<unknown>): Promise<number> {
  const counted = performance.now() + WARM_SECONDS * 1000;
  const end = counted + seconds * 1000;
  let done = 0;
  const client = async () => {
    while (performance.now() < end) {
      await one();
      if (performance.now() >= counted && performance.now() < end) done++;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return Math.round(done / seconds);
}

async function listen(): Promise<Client> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('LISTEN facts');
  return client;
}

/** Fills the queue for a while, and then empties it for as long. */
async function jobs(): Promise<{ enqueued: number; completed: number }> {
  const db = openDatabase(postgres.url);
  const queue = await openJobs({ databaseUrl: postgres.url, log: openLog('silent') });
  const emptied = Promise.withResolvers<void>();
  let completed = 0;
  let left = Infinity;
  await queue.register([
    worker(
      nothing,
      async () => {
        completed++;
        if (completed >= left) emptied.resolve();
      },
      { concurrency: WORKERS },
    ),
  ]);
  const enqueued = await atOnce(WORKERS, () =>
    db.$transaction((tx) => queue.enqueue(nothing, { of: 'a benchmark' }, { within: tx })),
  );
  left = enqueued * seconds;
  const from = performance.now();
  await queue.work();
  await Promise.race([emptied.promise, sleep(seconds * 1000)]);
  const perSecond = Math.round((completed * 1000) / (performance.now() - from));
  await queue.stop(5_000);
  await db.$disconnect();
  return { enqueued, completed: perSecond };
}

function ratio(part: number, whole: number): string {
  return (part / whole).toFixed(2);
}
