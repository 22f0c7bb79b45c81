import { Pool } from 'undici';

import { cpuMsOf } from './usage.ts';

/** The measurements of a process under load. */
export interface Load {
  requests: number;
  perSecond: number;
  p99Ms: number;
  /** CPU time of the process for one request. */
  cpuMs: number;
}

const CONNECTIONS = 20;

const headers = { 'content-type': 'application/json', accept: 'application/json' };

/** The answer to a query, normalized. */
export async function ask(url: string, query: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
  if (errors) throw new Error(`it answered ${JSON.stringify(errors).slice(0, 300)}`);
  return JSON.stringify(data);
}

interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

interface Pressure {
  seconds: number;
  /** The id of the process whose CPU time is measured. */
  pid: number;
  /** How many requests are under way at any time. */
  connections?: number;
}

/** Posts a GraphQL query again and again, or another each time. */
export function load(url: string, query: string | (() => string), pressure: Pressure): Promise<Load> {
  const { origin, pathname: path } = new URL(url);
  const fixed = typeof query === 'string' ? JSON.stringify({ query }) : undefined;
  const body = () => fixed ?? JSON.stringify({ query: (query as () => string)() });
  return press(origin, () => ({ method: 'POST', path, headers, body: body() }), pressure);
}

/** Sends requests over 20 connections, or as many as given, each as soon as the last one is answered. */
export async function press(
  origin: string,
  next: () => Request,
  { seconds, pid, connections = CONNECTIONS }: Pressure,
): Promise<Load> {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const times: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1_000;
  const cpuBefore = cpuMsOf(pid);

  async function client() {
    for (let now = performance.now(); now < end; now = performance.now()) {
      const { statusCode, body: answer } = await pool.request(next());
      await answer.arrayBuffer();
      if (statusCode >= 300) throw new Error(`it answered with status ${statusCode}`);
      times.push(performance.now() - now);
    }
  }
  await Promise.all(Array.from({ length: connections }, client));
  const took = (performance.now() - started) / 1_000;
  const cpuMs = cpuMsOf(pid) - cpuBefore;
  await pool.close();
  const sorted = times.toSorted((one, other) => one - other);
  return {
    requests: times.length,
    perSecond: times.length / took,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    cpuMs: cpuMs / times.length,
  };
}

/** What a batch of requests took. */
export interface Burst {
  /** CPU time of the process for one request. */
  cpuMs: number;
  /** The time until all were answered. */
  wallMs: number;
  /** The answers, in the order of the queries. */
  answers: string;
}

/** Sends each query once, all of them at the same time. */
export async function burst(url: string, queries: readonly string[], pid: number): Promise<Burst> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: queries.length, pipelining: 1 });
  const started = performance.now();
  const cpuBefore = cpuMsOf(pid);
  const bodies = await Promise.all(
    queries.map(async (query) => {
      const { body } = await pool.request({ method: 'POST', path, headers, body: JSON.stringify({ query }) });
      return body.text();
    }),
  );
  const wallMs = performance.now() - started;
  const cpuMs = (cpuMsOf(pid) - cpuBefore) / queries.length;
  await pool.close();
  return { cpuMs, wallMs, answers: bodies.map((body) => JSON.stringify(JSON.parse(body))).join('\n') };
}
