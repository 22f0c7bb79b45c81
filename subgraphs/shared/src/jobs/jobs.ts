import { setTimeout as sleep } from 'node:timers/promises';

import { fromPrisma, PgBoss, type JobWithMetadata, type PrismaTransactionLike } from 'pg-boss';
import type { z } from 'zod';

import { countRun, watchQueues } from './job-metrics.ts';
import { currentRequestId, loggingAbout, type Log } from '../telemetry/log.ts';
import { makeQueues } from './make-queues.ts';
import { carriedTrace, continueTrace, traced, type Carrier } from '../telemetry/tracing.ts';

/** A kind of background work: once it is enqueued, it is done, or it fails for good and is reported. */
export interface Job<Data extends object> {
  /** `<subgraph>.<verb>-<noun>`, as the file that does it. */
  name: string;
  data: z.ZodType<Data>;
  /** How often it is tried again. */
  retries: number;
  /** The first pause between two tries, in seconds; it doubles each time. */
  retryDelaySeconds: number;
  /** The longest such pause. */
  retryDelayMaxSeconds?: number;
  /** How long one try may take before it counts as failed. */
  expireSeconds?: number;
  /** When it runs by itself: cron, UTC. */
  cron?: string;
}

export const defineJob = <Data extends object>(job: Job<Data>): Job<Data> => job;

/** One attempt at a job, as its handler sees it. */
export interface Attempt {
  /** Identifies this try of this job: what a write is fenced with. */
  id: string;
  /** 1 for the first try. */
  number: number;
  /** No further try follows this one. */
  last: boolean;
  /** Aborts when the try takes too long or the process stops. */
  signal: AbortSignal;
}

export interface Worker {
  job: Job<never>;
  run(data: never, attempt: Attempt): Promise<void>;
}

/** Binds a job to its handler. */
export const worker = <Data extends object>(job: Job<Data>, run: (data: Data, attempt: Attempt) => Promise<void>) =>
  ({ job, run }) as unknown as Worker;

interface Enqueue {
  /** The caller's transaction: the job is committed with the fact that asks for it, or not at all. */
  within?: PrismaTransactionLike;
  startAfter?: Date;
  /** At most one job of this key waits at a time. */
  singletonKey?: string;
}

/** Enqueues jobs. */
export interface Jobs {
  enqueue<Data extends object>(job: Job<Data>, data: Data, options?: Enqueue): Promise<void>;
}

export interface JobQueue extends Jobs {
  /** Makes the queues of these workers; must be called before anything is enqueued for them. */
  register(workers: readonly Worker[]): Promise<void>;
  /** Starts doing the work that is registered. */
  work(): Promise<void>;
  /** Whether nothing has failed lately between the queue and the database; silence is not noticed here. */
  healthy(): boolean;
  /** Takes no new work, and waits for what is running up to `timeoutMs`, then aborts it. */
  drain(timeoutMs: number): Promise<void>;
  /** Drains, and closes the database connections. */
  stop(timeoutMs: number): Promise<void>;
}

/** How soon the job of a dead worker is taken over: after its heartbeat is missed, at the next check. */
export interface Watchfulness {
  /** pg-boss takes no less than 10. */
  heartbeatSeconds: number;
  lookEverySeconds: number;
}

const asUsual: Watchfulness = { heartbeatSeconds: 15, lookEverySeconds: 10 };

interface JobsAt {
  databaseUrl: string;
  log: Log;
  /** For processes that only enqueue: no supervision, no schedules. */
  asksOnly?: boolean;
  watchfulness?: Watchfulness | undefined;
}

/** The time for an aborted job to record its state. */
const LAST_WORDS_MS = 1_000;

/** Who asked for a job, beside its data in its row: the key is no name that a job's own data could have. */
const ASKED = '$asked';

/** The request and its trace. */
interface Asked extends Carrier {
  requestId?: string;
  /** It is not to be done at once: it gets a trace of its own, that points to the one that asked. */
  later?: boolean;
}

function whoAsks(startAfter: Date | undefined): { [ASKED]?: Asked } {
  const requestId = currentRequestId();
  const asked = { ...carriedTrace(), ...(requestId && { requestId }) };
  if (Object.keys(asked).length === 0) return {};
  return { [ASKED]: { ...asked, ...(startAfter && { later: true }) } };
}

/** Jobs on PostgreSQL (pg-boss), in a schema of their own. */
export async function openJobs(at: JobsAt): Promise<JobQueue> {
  const { log, asksOnly = false, watchfulness = asUsual } = at;
  const boss = bossFor(at);
  let lastError = 0;
  boss.on('error', (error) => {
    lastError = Date.now();
    log.error({ err: error }, 'job queue');
  });
  await boss.start();
  const workers: Worker[] = [];
  const running = new Set<Promise<void>>();
  const unwatch = asksOnly ? () => undefined : watchQueues(() => boss.getQueues());

  async function work({ job, run }: Worker) {
    const workerId = await boss.work(
      job.name,
      { includeMetadata: true, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2, batchSize: 1 },
      async ([taken]) => {
        if (!taken) return;
        const done = runJob({ job, run }, taken, log);
        running.add(done);
        try {
          await done;
        } finally {
          running.delete(done);
          boss.notifyWorker(workerId); // the next one at once: else a backlog would shrink by one each interval
        }
      },
    );
  }
  async function drain(timeoutMs: number) {
    unwatch();
    await boss.stop({ graceful: true, timeout: timeoutMs, close: false });
    // Those that were aborted write down that they were.
    await Promise.race([Promise.allSettled(running), sleep(LAST_WORDS_MS)]);
  }

  return {
    enqueue: enqueueIn(boss),
    async register(more) {
      await makeQueues(
        boss,
        more.map(({ job }) => job),
        watchfulness,
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

const bossFor = ({ databaseUrl, asksOnly = false, watchfulness: { lookEverySeconds } = asUsual }: JobsAt) =>
  new PgBoss({
    connectionString: databaseUrl,
    max: 4,
    useListenNotify: !asksOnly,
    supervise: !asksOnly,
    schedule: !asksOnly,
    superviseIntervalSeconds: lookEverySeconds,
    monitorIntervalSeconds: lookEverySeconds,
    // Without this the first cron tick after a start may be a minute late.
    cronMonitorIntervalSeconds: 15,
  });

const enqueueIn =
  (boss: PgBoss): Jobs['enqueue'] =>
  (job, data, { within, startAfter, singletonKey } = {}) =>
    traced(`send ${job.name}`, { kind: 'producer', attributes: messaging(job, 'send') }, async () => {
      await boss.send(
        job.name,
        { ...job.data.parse(data), ...whoAsks(startAfter) },
        {
          ...(within && { db: fromPrisma(within) }),
          ...(startAfter && { startAfter }),
          ...(singletonKey && { singletonKey }),
        },
      );
    });

/** One try of one job: in the trace of the request that asked for it, and its log lines name that request too. */
function runJob({ job, run }: Worker, taken: JobWithMetadata<unknown>, log: Log): Promise<void> {
  const { [ASKED]: asked = {}, ...data } = (taken.data ?? {}) as { [ASKED]?: Asked };
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
  const span = { kind: 'consumer', attributes, ...(asked.later && { apartFrom: asked }) } as const;
  const about = { ...(asked.requestId && { requestId: asked.requestId }), job: job.name, jobId: taken.id };
  return loggingAbout(about, () => continueTrace(asked, () => traced(`process ${job.name}`, span, tryOnce)));
}

const messaging = ({ name }: Pick<Job<never>, 'name'>, operation: 'send' | 'process') => ({
  'messaging.system': 'pg-boss',
  'messaging.destination.name': name,
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
});
