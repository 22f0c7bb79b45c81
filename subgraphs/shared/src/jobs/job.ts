import type { z } from 'zod';

/** A kind of background work. An enqueued job is done, or fails for good and is reported. */
export interface Job<Data extends object> {
  /** `<subgraph>.<verb>-<noun>`, like the name of its file. */
  name: string;
  data: z.ZodType<Data>;
  /** The number of retries. */
  retries: number;
  /** The first pause between two attempts, in seconds; it doubles each time. */
  retryDelaySeconds: number;
  /** The longest such pause, in seconds. */
  retryDelayMaxSeconds?: number;
  /** How long one attempt may take before it counts as failed, in seconds. */
  expireSeconds?: number;
  /** The schedule on which it runs by itself: cron, UTC. */
  cron?: string;
}

export const defineJob = <Data extends object>(job: Job<Data>): Job<Data> => job;

/** One attempt at a job, as its handler sees it. */
export interface Attempt {
  /** Identifies this attempt of this job, to fence its writes. */
  id: string;
  /** 1 for the first attempt. */
  number: number;
  /** No further attempt follows this one. */
  last: boolean;
  /** Aborts when the attempt takes too long or the process stops. */
  signal: AbortSignal;
}

export interface Worker {
  job: Job<never>;
  run(data: never, attempt: Attempt): Promise<void>;
  /** How many of these jobs one process runs at a time; 1 by default. */
  concurrency?: number;
}

/** Binds a job to its handler. */
export const worker = <Data extends object>(
  job: Job<Data>,
  run: (data: Data, attempt: Attempt) => Promise<void>,
  options: Pick<Worker, 'concurrency'> = {},
) => ({ job, run, ...options }) as unknown as Worker;
