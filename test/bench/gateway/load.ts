import { readFileSync } from 'node:fs';

import { Pool } from 'undici';

/** The measurements of a process under load. */
export interface Load {
  requests: number;
  perSecond: number;
  p99Ms: number;
  /** CPU time of the process for one request. */
  cpuMs: number;
}

const CONNECTIONS = 20;
/** The ticks in a second of CPU time, on Linux. */
const TICKS = 100;

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
}

/** Posts a GraphQL query again and again, or another each time. */
export function load(url: string, query: string | (() => string), pressure: Pressure): Promise<Load> {
  const { origin, pathname: path } = new URL(url);
  const fixed = typeof query === 'string' ? JSON.stringify({ query }) : undefined;
  const body = () => fixed ?? JSON.stringify({ query: (query as () => string)() });
  return press(origin, () => ({ method: 'POST', path, headers, body: body() }), pressure);
}

/** Sends requests over 20 connections, each as soon as the last one is answered. */
export async function press(origin: string, next: () => Request, { seconds, pid }: Pressure): Promise<Load> {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
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
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
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

/** The user and system CPU time of a process. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
}
