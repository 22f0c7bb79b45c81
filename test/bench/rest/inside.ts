/**
 * Preloaded into a server (`node --import`). It adds `/bench/operation`, which does nothing but
 * execute in process the operation that a route ran last, for the same viewer, and `/bench/nothing`.
 */
import { routes } from '@foyer/rest-compat/routes';
import type { FastifyInstance } from 'fastify';

type Edge = Parameters<(typeof routes)[number]['mount']>[1];
type Run = Parameters<Edge['execute']>;

/** The values that the load numbers, so that no two requests are equal. */
const NUMBERS = /\d{13,}/g;

let latest: Run | undefined;
let numbered = Date.now();

for (const row of routes) {
  const mount = row.mount.bind(row);
  row.mount = (app, edge) => {
    // Not beside the forms, whose part of the server reads no JSON.
    if (!row.form && !app.hasRoute({ method: 'POST', url: '/bench/operation' })) mountBeside(app, edge);
    mount(app, {
      ...edge,
      execute(...run) {
        latest = run;
        return edge.execute(...run);
      },
    });
  };
}

function mountBeside(app: FastifyInstance, edge: Edge): void {
  const method = ['GET', 'POST'];
  app.route({ method, url: '/bench/nothing', handler: async () => ({ success: true }) });
  app.route({
    method,
    url: '/bench/operation',
    async handler() {
      if (!latest) throw new Error('no route was called');
      const [{ document, variables }, scope] = latest;
      const text = JSON.stringify(variables).replace(NUMBERS, () => String((numbered += 1)));
      const again = { document, variables: JSON.parse(text) as Record<string, unknown> };
      const { data, errors } = await edge.execute(again, {
        ...scope,
        signal: new AbortController().signal,
        reply: { cookies: [] },
      });
      if (errors?.[0]) throw errors[0];
      return data;
    },
  });
}
