import { parse } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';

import { startGuardedServer, type Answer } from '../testing/guarded-server.ts';
import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

let server: ExampleServer;
afterEach(() => server.stop());

const reasonOf = ({ body }: Awaited<ReturnType<ExampleServer['post']>>) => body.errors?.[0]?.extensions['reason'];

describe('the time that a caller takes of the planner', () => {
  const known = '{ user(id: 1) { name } }';
  const viewer = { headers: { authorization: 'Bearer customer' } };

  it('is limited, with the time to wait, and known operations are still answered', async () => {
    server = await startExampleServer({ GRAPHQL_PLANNING_MS: '1' });
    expect((await server.post(known)).status).toBe(200);

    const refused = await server.post('{ user(id: 2) { id } }');

    expect([refused.status, reasonOf(refused)]).toEqual([429, 'PLANNING_BUDGET']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await server.post(known)).status).toBe(200);
  });

  it('is that of one caller, over every transport', async () => {
    server = await startExampleServer({ GRAPHQL_PLANNING_MS: '1' });
    await server.post(known);

    const { results, ended } = watch(aClient(server.wsUrl), '{ user(id: 3) { id } }');

    expect(JSON.stringify([await ended, results])).toContain('PLANNING_BUDGET');
    expect((await server.post('{ user(id: 4) { id } }', viewer)).status).toBe(200);
  });

  it('is counted while operations are planned, so that many at once do not take it many times', async () => {
    server = await startExampleServer({ GRAPHQL_PLANNING_MS: '1' });
    const client = aClient(server.wsUrl);

    const many = Array.from({ length: 20 }, (_, at) => watch(client, `{ user(id: ${at}) { id } }`));
    const ends = await Promise.all(many.map(({ ended }) => ended));

    const refused = ends.filter((end) => JSON.stringify(end).includes('PLANNING_BUDGET'));
    expect(refused).toHaveLength(19);
  });

  it('is taken by documents that are not valid, too, and then no other new one is validated', async () => {
    server = await startExampleServer({ GRAPHQL_PLANNING_MS: '1' });
    expect((await server.post(known, viewer)).status).toBe(200);
    let asked = 0;
    const invalid = () => `{ ${'user(id: 1) { unknown } '.repeat(200)} n${(asked += 1)}: __typename }`;
    expect((await server.post(invalid())).status).toBe(400);
    // The clock of a thread moves in steps, and may not have seen the first.
    await expect.poll(async () => (await server.post(invalid())).status).toBe(429);

    const refused = await server.post('{ unknown user(id: 2) { id } }');

    expect([refused.status, reasonOf(refused)]).toEqual([429, 'PLANNING_BUDGET']);
    expect((await server.post(known)).status).toBe(200);
  });

  it('is not taken by operations that cost too much', async () => {
    server = await startExampleServer({ GRAPHQL_PLANNING_MS: '1', GRAPHQL_MAX_COST: '5' });
    const costly = (at: number) => `{ user(id: ${at}) { friends { friends { name } } } }`;

    const refused = await Promise.all([1, 2, 3].map((at) => server.post(costly(at))));

    expect(refused.map(reasonOf)).toEqual(['MAX_COST', 'MAX_COST', 'MAX_COST']);
    expect((await server.post(known)).status).toBe(200);
  });

  it('is not taken by the documents of the server itself', async () => {
    server = await startExampleServer({ GRAPHQL_PLANNING_MS: '1', GRAPHQL_MAX_TOKENS: '3', GRAPHQL_MAX_COST: '1' });
    await server.post('{ __typename }');

    const scope = {
      requestId: 'rest-1',
      viewer: null,
      client: { address: '127.0.0.1', userAgent: '' },
      signal: new AbortController().signal,
      reply: { cookies: [] },
    };
    const document = parse('{ user(id: 1) { friends { friends { name } } } }');

    expect((await server.gateway.execute({ document }, scope)).errors).toBeUndefined();
  });

  it('includes plans that differ between callers', async () => {
    const guarded = await startGuardedServer({ GRAPHQL_PLANNING_MS: '1' });
    const reasonsOf = ({ errors = [] }: Answer) => errors.map(({ extensions }) => extensions['reason']);
    const [one, another, lastOne] = ['email', 'salary', 'email salary'].map(
      (fields) => `{ user(id: "1") { ${fields} } }`,
    );
    try {
      for (const query of [one, another]) {
        // Each by a caller with a budget of their own, who may see everything.
        expect(reasonsOf(await guarded.post(query ?? '', { sub: query, scope: 'admin' }))).toEqual([]);
      }
      expect(reasonsOf(await guarded.post(one ?? ''))).toEqual(['AUTHENTICATION_REQUIRED']);

      expect(reasonsOf(await guarded.post(another ?? ''))).toEqual(['PLANNING_BUDGET']);
      expect(reasonsOf(await guarded.post(lastOne ?? ''))).toEqual(['PLANNING_BUDGET']);
      expect(reasonsOf(await guarded.post(one ?? ''))).toEqual(['AUTHENTICATION_REQUIRED']);
    } finally {
      await guarded.stop();
    }
  });
});
