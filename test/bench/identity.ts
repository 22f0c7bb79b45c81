/**
 * The throughput of identity, through the public API of a real server:
 *
 *     pnpm bench:identity [--seconds 60] [--clients 8]
 *
 * Prints requests per second, p99, and memory: sampled every five seconds, the mean of the first third of the time and of
 * the last, and what it peaked at; what levels off has no leak. Login is measured without the password hash, which costs what it
 * is meant to cost: a stand-in for the session check of the identity provider says yes at once.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startIdentityProvider } from '@foyer/identity/simulators/identity-provider';

import { stopServerProcess, startServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import { print } from './print.ts';

const PASSWORD = 'Foyer-demo-1';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, clients: { type: 'string', default: '8' } },
});
const seconds = Number(values.seconds);
const clients = Number(values.clients);

/** Forwards everything to the provider except password checks, which succeed at once. */
async function withoutHash(upstream: string): Promise<Server> {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith('/CreateSession')) {
      response.end(JSON.stringify({ sessionId: '300000000000000001', sessionToken: 'bench' }));
      return;
    }
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const passed = await fetch(new URL(request.url ?? '/', upstream), {
      method: request.method ?? 'POST',
      headers: { authorization, 'content-type': type },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.statusCode = passed.status;
    response.end(await passed.text());
  };
  const server = createServer((request, response) => void pass(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

async function ask<Answer>(
  foyer: ServerProcess,
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<Answer> {
  const response = await fetch(`${foyer.url}${path}`, { method, ...init });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const json = (body: object, headers: Record<string, string> = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const login = (foyer: ServerProcess) =>
  ask<Tokens>(
    foyer,
    'POST',
    '/api/v1/login',
    json({ username: 'member@acme.test', password: PASSWORD, company_code: 'ACME' }, { 'service-platform': 'mobile' }),
  );

const SAMPLE_MS = 5_000;

/** Resident memory of the server, in MiB. */
async function memory(foyer: ServerProcess): Promise<number> {
  const text = await (await fetch(`${foyer.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? 0) / 1_048_576;
}

/** Samples memory until it is stopped. */
function watchMemory(foyer: ServerProcess): { stop(): string } {
  const samples: number[] = [];
  const timer = setInterval(() => void memory(foyer).then((mebibytes) => samples.push(mebibytes)), SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      const third = Math.max(1, Math.floor(samples.length / 3));
      const mean = (part: number[]) => Math.round(part.reduce((sum, one) => sum + one, 0) / part.length);
      if (samples.length === 0) return 'memory not sampled';
      return `memory ${mean(samples.slice(0, third))} → ${mean(samples.slice(-third))} MiB, most ${Math.round(Math.max(...samples))}`;
    },
  };
}

/** Lets every client repeat its requests until the time is over. */
async function measure(
  foyer: ServerProcess,
  name: string,
  begin: () => Promise<() => Promise<unknown>>,
): Promise<void> {
  const steps = await Promise.all(Array.from({ length: clients }, begin));
  for (const step of steps) await step(); // warm
  const times: number[] = [];
  const resident = watchMemory(foyer);
  const started = performance.now();
  const end = started + seconds * 1_000;
  await Promise.all(
    steps.map(async (step) => {
      while (performance.now() < end) {
        const startedAt = performance.now();
        await step();
        times.push(performance.now() - startedAt);
      }
    }),
  );
  const took = (performance.now() - started) / 1_000;
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  print(
    [
      name.padEnd(34),
      `${(times.length / took).toFixed(0).padStart(6)} requests/s`,
      `p50 ${at(0.5).padStart(6)} ms`,
      `p99 ${at(0.99).padStart(6)} ms`,
      resident.stop(),
    ].join('   '),
  );
}

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
const admin = { username: 'admin@foyer.test', password: PASSWORD };
const provider = await startIdentityProvider({ folder, platform: { name: 'Foyer', admin } });
const proxy = await withoutHash(provider.url);
const address = proxy.address();
const foyer = await startServerProcess({
  IDP_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
  IDP_PAT_FILE: provider.tokenFile,
  LOG_LEVEL: 'warn',
  RATE_LIMITS: 'off',
});
try {
  print(`${clients} clients, ${seconds} s each; at rest ${Math.round(await memory(foyer))} MiB`);
  const headers = { authorization: `Bearer ${(await login(foyer)).access_token}` };
  await measure(
    foyer,
    'a verified token (the catalog)',
    async () => () => ask(foyer, 'GET', '/api/v1/tenancy/permissions/catalog', { headers }),
  );
  await measure(foyer, '/me', async () => () => ask(foyer, 'GET', '/api/v1/identity/users/me', { headers }));
  await measure(foyer, 'refresh', async () => {
    let { refresh_token } = await login(foyer);
    return async () => {
      const body = { client_type: 'mobile', refresh_token };
      ({ refresh_token } = await ask<Tokens>(foyer, 'POST', '/api/v1/refresh', json(body)));
    };
  });
  await measure(foyer, 'login, without the hash', async () => () => login(foyer));
} finally {
  await stopServerProcess(foyer);
  proxy.close();
  proxy.closeAllConnections();
  await provider.stop();
  await rm(folder, { recursive: true, force: true });
}
