/**
 * Preloaded into a house (`node --import`): measures from within what a row of rest-compat costs. `POST /bench/row`
 * takes a request, finds out which operation its row runs, and runs both many times.
 */
import { routes } from '@foyer/rest-compat/routes';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Edge = Parameters<(typeof routes)[number]['mount']>[1];
type Run = Parameters<Edge['execute']>;

/** A request to measure; `@` in its body is another number each time. */
export interface Asked {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: object;
  times: number;
}

/** CPU time for one of each, in milliseconds. */
export interface Cost {
  /** The operation, executed in process by somebody who is known. */
  operation: number;
  /** Finding out by the token who asks. */
  authentication: number;
  /** The REST route, by an injected request. */
  route: number;
  /** An injected request with the same headers and body to a handler that does nothing. */
  nothing: number;
}

let latest: Run | undefined;
let numbered = 0;
const another = (text: string) => text.replaceAll('@', String((numbered += 1)));

for (const row of routes) {
  const mount = row.mount.bind(row);
  row.mount = (app, edge) => {
    if (!app.hasRoute({ method: 'POST', url: '/bench/row' })) measureAt(app, edge);
    mount(app, {
      ...edge,
      execute(...run) {
        latest = run;
        return edge.execute(...run);
      },
    });
  };
}

function measureAt(app: FastifyInstance, edge: Edge): void {
  app.all('/bench/nothing', async () => ({ success: true }));
  app.post('/bench/row', async ({ body }: FastifyRequest) => measure(app, edge, body as Asked));
}

async function measure(app: FastifyInstance, edge: Edge, asked: Asked): Promise<Cost> {
  const { method, url, headers } = asked;
  const payload = asked.body && JSON.stringify(asked.body);
  const inject = async (to: string) => {
    const body = payload && another(payload);
    const answer = await app.inject({
      method,
      url: to,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: body }),
    });
    if (answer.statusCode >= 300) throw new Error(`${to} answered ${answer.statusCode}: ${answer.body}`);
  };
  latest = undefined;
  numbered = Date.now();
  const pattern = numbered + 1;
  await inject(url);
  if (!latest) throw new Error('no operation was run');
  const [{ document, variables }, scope] = latest as Run;
  const text = JSON.stringify(variables).replaceAll(String(pattern), '@');

  const ways: Record<keyof Cost, () => Promise<unknown>> = {
    operation: () => runAgain(edge, document, text, scope),
    authentication: () => edge.authenticate(headers),
    route: () => inject(url),
    nothing: () => inject('/bench/nothing'),
  };
  const cost: Partial<Cost> = {};
  for (const [name, way] of Object.entries(ways) as [keyof Cost, () => Promise<unknown>][]) {
    cost[name] = await cpuMsOf(way, asked.times);
  }
  return cost as Cost;
}

async function runAgain(edge: Edge, document: Run[0]['document'], text: string, scope: Run[1]): Promise<void> {
  const variables = JSON.parse(another(text)) as Record<string, unknown>;
  const { signal } = new AbortController();
  const { errors } = await edge.execute({ document, variables }, { ...scope, signal, reply: { cookies: [] } });
  if (errors) throw errors[0];
}

/** One after the other; the database is another process, and waiting for it costs nothing here. */
async function cpuMsOf(way: () => Promise<unknown>, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < times; at += 1) await way();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / times;
}
