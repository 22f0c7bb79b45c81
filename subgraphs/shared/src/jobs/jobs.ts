import { setTimeout as sleep } from 'node:timers/promises';

import type { Pool } from 'pg';
import { fromPrisma, PgBoss, type JobWithMetadata, type PrismaTransactionLike } from 'pg-boss';

import { countRun, watchQueues } from './job-metrics.ts';
import { currentRequestId, loggingAbout, type Log } from '../telemetry/log.ts';
import { wakeForDueJobs } from './due-jobs.ts';
import type { Job, Worker } from './job.ts';
import { makeQueues } from './make-queues.ts';
import { endSilentConnections, type Silence } from '../silent-connections.ts';
import { carriedTrace, continueTrace, traced, type Carrier } from '../telemetry/tracing.ts';

interface Enqueue {
  /** The caller's transaction: the job is committed with the change that causes it, or not at all. */
  within?: PrismaTransactionLike;
  startAfter?: Date;
  /** What `prioritize` finds it by; several jobs may have the same key. */
  singletonKey?: string;
  /** Larger numbers come first, 0 by default; among equals the oldest. */
  priority?: number;
}

/** Enqueues jobs. */
export interface Jobs {
  enqueue<Data extends object>(job: Job<Data>, data: Data, options?: Enqueue): Promise<void>;
  /** Enqueues many jobs of one queue by one statement. */
  enqueueAll<Data extends object>(
    job: Job<Data>,
    data: readonly Data[],
    options?: Pick<Enqueue, 'within'>,
  ): Promise<void>;
  /** Changes the priority of the jobs that wait in one queue with this key; there may be none. */
  prioritize<Data extends object>(job: Job<Data>, singletonKey: string, options: Prioritize): Promise<void>;
  /** Whether a job with these data, and maybe more, waits in its queue, be it for a later moment. */
  isWaiting<Data extends object>(job: Job<Data>, data: Data): Promise<boolean>;
  /** The data of those that wait with one of these keys: one look into a queue, which may be long. */
  waitingWith<Data extends object>(job: Job<Data>, singletonKeys: readonly string[]): Promise<Data[]>;
}

type Prioritize = Pick<Enqueue, 'within'> & { priority: number };

export interface JobQueue extends Jobs {
  /** Creates or updates the queues of these workers. */
  register(workers: readonly Worker[]): Promise<void>;
  /** Starts the registered workers. */
  work(): Promise<void>;
  /** Whether the queue has had no database error lately. A database that does not answer at all goes unnoticed here. */
  healthy(): boolean;
  /** Takes no new work, and waits for what is running up to `timeoutMs`, then aborts it. */
  drain(timeoutMs: number): Promise<void>;
  /** Drains, and closes the database connections. */
  stop(timeoutMs: number): Promise<void>;
}

/** How soon another worker takes over the job of a dead one: at the first check after a missed heartbeat. */
export interface Supervision {
  /** At least 10, for pg-boss. */
  heartbeatSeconds: number;
  checkEverySeconds: number;
}

const defaultSupervision: Supervision = { heartbeatSeconds: 15, checkEverySeconds: 10 };

interface JobsAt {
  databaseUrl: string;
  log: Log;
  /** For processes that run no jobs: no supervision, no schedules. */
  enqueueOnly?: boolean;
  supervision?: Supervision | undefined;
  /** When PostgreSQL counts as hanging. */
  silence?: Silence;
}

/** The time in which aborted jobs record their state. */
const RECORD_STATE_MS = 1_000;

/** The key of a job's cause, beside its data in its row. No data of a job has a key of this name. */
const CAUSE_KEY = '$asked';

/** The request that enqueued a job, and its trace. */
interface Cause extends Carrier {
  requestId?: string;
  /** The job starts later, and so gets a trace of its own, which links to the trace of the request. */
  later?: boolean;
}

function currentCause(startAfter: Date | undefined): { [CAUSE_KEY]?: Cause } {
  const requestId = currentRequestId();
  const cause = { ...carriedTrace(), ...(requestId && { requestId }) };
  if (Object.keys(cause).length === 0) return {};
  return { [CAUSE_KEY]: { ...cause, ...(startAfter && { later: true }) } };
}

/** Opens the job queue on PostgreSQL (pg-boss), which has a schema of its own. */
export async function openJobs(at: JobsAt): Promise<JobQueue> {
  const { log, enqueueOnly = false, supervision = defaultSupervision } = at;
  const boss = bossFor(at);
  let lastError = 0;
  boss.on('error', (error) => {
    lastError = Date.now();
    log.error({ err: error }, 'job queue');
  });
  await boss.start();
  endSilentConnections(poolOf(boss), at.databaseUrl, at.silence);
  const workers: Worker[] = [];
  const running = new Set<Promise<void>>();
  const workerIds = new Map<string, string[]>();
  const stopWaking = wakeForDueJobs(boss, workerIds);
  const toQueue = sendingTo(boss, supervision.heartbeatSeconds);
  const unwatch = enqueueOnly ? () => undefined : watchQueues(() => boss.getQueues());

  async function work({ job, run, concurrency = 1 }: Worker) {
    workerIds.set(job.name, []);
    for (let started = 0; started < concurrency; started++) await workOne({ job, run });
  }
  /** Starts one worker of a queue, which runs one job at a time. */
  async function workOne({ job, run }: Worker) {
    const workerId = await boss.work(
      job.name,
      // Where PostgreSQL can notify, `wakeForDueJobs` finds what it does not notify of.
      { includeMetadata: true, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 60, batchSize: 1 },
      async ([taken]) => {
        if (!taken) return;
        const done = runJob({ job, run }, taken, log);
        running.add(done);
        try {
          await done;
        } finally {
          running.delete(done);
          boss.notifyWorker(workerId); // fetches the next job at once: else a backlog would shrink by one each interval
        }
      },
    );
    workerIds.get(job.name)?.push(workerId);
  }
  async function drain(timeoutMs: number) {
    unwatch();
    stopWaking();
    await boss.stop({ graceful: true, timeout: timeoutMs, close: false });
    // Aborted jobs still record that they were aborted.
    await Promise.race([Promise.allSettled(running), sleep(RECORD_STATE_MS)]);
  }

  return {
    enqueue: enqueueIn(boss, toQueue),
    async enqueueAll(job, data, { within } = {}) {
      if (data.length === 0) return;
      await traced(`send ${job.name}`, { kind: 'producer', attributes: messaging(job, 'send') }, async () => {
        const jobs = data.map((each) => ({ data: { ...job.data.parse(each), ...currentCause(undefined) } }));
        await toQueue(job, () => boss.insert(job.name, jobs, { ...(within && { db: fromPrisma(within) }) }));
      });
    },
    async prioritize({ name }, singletonKey, { priority, within }) {
      const where = { singletonKey, match: 'all', ...(within && { db: fromPrisma(within) }) } as const;
      await boss.update(name, undefined, { ...where, priority });
    },
    isWaiting: async ({ name }, data) => (await boss.findJobs(name, { data, queued: true })).length > 0,
    async waitingWith({ name, data }, singletonKeys) {
      const { rows } = await boss.getDb().executeSql(waitingJobs, [name, singletonKeys]);
      return (rows as { data: object }[]).map((row) => data.parse(withoutCause(row.data)));
    },
    async register(more) {
      await makeQueues(
        boss,
        more.map(({ job }) => job),
        supervision.heartbeatSeconds,
      );
      workers.push(...more);
    },
    async work() {
      for (const each of workers) await work(each);
    },
    healthy: () => Date.now() - lastError > 15_000,
    drain,
    async stop(timeoutMs) {
      await drain(timeoutMs);
      await boss.stop({ close: true });
    },
  };
}

const bossFor = ({
  databaseUrl,
  enqueueOnly = false,
  supervision: { checkEverySeconds } = defaultSupervision,
}: JobsAt) =>
  new PgBoss({
    connectionString: databaseUrl,
    max: 4,
    useListenNotify: !enqueueOnly,
    supervise: !enqueueOnly,
    schedule: !enqueueOnly,
    superviseIntervalSeconds: checkEverySeconds,
    monitorIntervalSeconds: checkEverySeconds,
    // Without this the first cron tick after a start may be a minute late.
    cronMonitorIntervalSeconds: 15,
  });

/** Its own pool, which its types do not show. */
const poolOf = (boss: PgBoss): Pool => (boss.getDb() as unknown as { pool: Pool }).pool;

const waitingJobs = `
  SELECT data FROM pgboss.job WHERE name = $1 AND state < 'active' AND singleton_key = ANY($2)`;

function withoutCause(stored: object): object {
  const { [CAUSE_KEY]: _cause, ...data } = stored as { [CAUSE_KEY]?: Cause };
  return data;
}

/** Sends jobs to a queue. A new one is missing until the worker of its version has started, which may be last: then it is created here. */
const sendingTo =
  (boss: PgBoss, heartbeatSeconds: number) =>
  async <Data extends object>(job: Job<Data>, send: () => Promise<unknown>): Promise<void> => {
    await send().catch(async (error: unknown) => {
      if ((error as Error).message !== `Queue ${job.name} does not exist`) throw error;
      await makeQueues(boss, [job as Job<never>], heartbeatSeconds);
      await send();
    });
  };

const enqueueIn =
  (boss: PgBoss, toQueue: ReturnType<typeof sendingTo>): Jobs['enqueue'] =>
  (job, data, { within, startAfter, singletonKey, priority } = {}) =>
    traced(`send ${job.name}`, { kind: 'producer', attributes: messaging(job, 'send') }, async () => {
      const stored = { ...job.data.parse(data), ...currentCause(startAfter) };
      const options = {
        ...(within && { db: fromPrisma(within) }),
        ...(startAfter && { startAfter }),
        ...(singletonKey && { singletonKey }),
        ...(priority !== undefined && { priority }),
      };
      await toQueue(job, () => boss.send(job.name, stored, options));
    });

/** Runs one attempt of one job, in the trace of the request that enqueued it; its log lines name that request, too. */
function runJob({ job, run }: Worker, taken: JobWithMetadata<unknown>, log: Log): Promise<void> {
  const { [CAUSE_KEY]: cause = {}, ...data } = (taken.data ?? {}) as { [CAUSE_KEY]?: Cause };
  const attempt = {
    id: `${taken.id}:${taken.retryCount}`,
    number: taken.retryCount + 1,
    last: taken.retryCount >= taken.retryLimit,
    signal: taken.signal,
  };
  async function tryOnce() {
    const started = performance.now();
    const took = () => Math.round(performance.now() - started);
    try {
      await run(job.data.parse(data), attempt);
      countRun(job.name, 'done', took());
      log.info({ attempt: attempt.number, ms: took() }, 'job done');
    } catch (error) {
      countRun(job.name, attempt.last ? 'dead' : 'failed', took());
      log.warn({ err: error, attempt: attempt.number, last: attempt.last }, 'job failed');
      throw error;
    }
  }
  const attributes = { ...messaging(job, 'process'), 'messaging.message.id': taken.id };
  const span = { kind: 'consumer', attributes, ...(cause.later && { apartFrom: cause }) } as const;
  const about = { ...(cause.requestId && { requestId: cause.requestId }), job: job.name, jobId: taken.id };
  return loggingAbout(about, () => continueTrace(cause, () => traced(`process ${job.name}`, span, tryOnce)));
}

const messaging = ({ name }: Pick<Job<never>, 'name'>, operation: 'send' | 'process') => ({
  'messaging.system': 'pg-boss',
  'messaging.destination.name': name,
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
});
