import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

let server: ExampleServer;
afterEach(() => server.stop());

const json = { 'content-type': 'application/json' };
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function send(body: object, headers: Record<string, string> = {}) {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  });
  const { data, errors } = (await response.json()) as {
    data?: unknown;
    errors?: { extensions: Record<string, unknown> }[];
  };
  const { code, reason } = errors?.[0]?.extensions ?? {};
  return { status: response.status, data, code: reason ?? code, headers: response.headers };
}

/** The same, over WebSocket and over server-sent events. */
async function elsewhere(query: string): Promise<{ webSocket: string; events: string }> {
  const socket = watch(aClient(server.wsUrl), query);
  const ended = await socket.ended;
  const events = await fetch(server.url, {
    method: 'POST',
    headers: { ...json, accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
  });
  return { webSocket: JSON.stringify([socket.results, ended]), events: await events.text() };
}
const bothWith = (code: string) => {
  const told = expect.stringContaining(`"${code}"`) as string;
  return { webSocket: told, events: told };
};

describe('what an operation costs', () => {
  it('is limited, over every transport', async () => {
    server = await startExampleServer({ GRAPHQL_MAX_COST: '50' });
    const query = '{ user(id: 1) { friends { friends { name } } } }';

    expect(await send({ query })).toMatchObject({ status: 400, code: 'MAX_COST' });
    expect(await elsewhere(query)).toEqual(bothWith('MAX_COST'));
    expect((await send({ query: '{ user(id: 1) { friends { name } } }' })).status).toBe(200);
  });
});

describe('the rate of requests', () => {
  it('is limited for an address, with the time to wait', async () => {
    server = await startExampleServer({ GRAPHQL_REQUESTS_PER_ADDRESS: '3' });
    const query = '{ __typename }';
    for (let at = 0; at < 3; at += 1) expect((await send({ query })).status).toBe(200);

    const refused = await send({ query });

    expect(refused).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await elsewhere(query)).toEqual(bothWith('TOO_MANY_REQUESTS'));
  });

  it('is limited for all of an IPv6 network together', async () => {
    server = await startExampleServer({ GRAPHQL_REQUESTS_PER_ADDRESS: '2', TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string) =>
      send({ query: '{ __typename }' }, { 'x-forwarded-for': address }).then(({ status }) => status);

    expect([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8::3')]).toEqual([200, 200, 429]);
    expect(await from('2001:db8:0:1::1')).toBe(200);
  });

  it('is limited for a viewer, without an effect on others', async () => {
    server = await startExampleServer({ GRAPHQL_REQUESTS_PER_VIEWER: '2' });
    const viewer = { authorization: 'Bearer customer' };
    const ask = (headers = {}) => send({ query: '{ __typename }' }, headers).then(({ status }) => status);

    expect([await ask(viewer), await ask(viewer), await ask(viewer), await ask()]).toEqual([200, 200, 429, 200]);
  });
});

describe('documents that the server knows', () => {
  it('may be requested by their hash once they were sent', async () => {
    server = await startExampleServer();
    const query = '{ order(no: 1) { no } }';
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(query) } };

    expect(await send({ extensions })).toMatchObject({ status: 200, code: 'PERSISTED_QUERY_NOT_FOUND' });
    expect((await send({ query, extensions })).data).toEqual({ order: { no: '1' } });
    expect((await send({ extensions })).data).toEqual({ order: { no: '1' } });
  });

  it.each([
    ['can not be read', 'nonsense', 'GRAPHQL_PARSE_FAILED'],
    ['is not valid', '{ nonsense }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('are not those whose text %s, though a client sent it with its hash', async (_what, query, code) => {
    server = await startExampleServer();
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(query) } };

    expect(await send({ query, extensions })).toMatchObject({ status: 400, code });
    expect(await send({ extensions })).toMatchObject({ code: 'PERSISTED_QUERY_NOT_FOUND' });
  });

  it('are kept within a bounded memory, the newest of those that clients sent', async () => {
    server = await startExampleServer();
    const named = (at: number) => `query Q${at} { order(no: 1) { no } } ${' '.repeat(500_000)}`;
    const byHash = (query: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(query) } } });

    for (let at = 0; at < 40; at += 1) await send({ query: named(at), ...byHash(named(at)) });

    expect(await send(byHash(named(0)))).toMatchObject({ code: 'PERSISTED_QUERY_NOT_FOUND' });
    expect((await send(byHash(named(39)))).data).toEqual({ order: { no: '1' } });
  });

  it('may be the only ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-trusted-'));
    const trusted = '{ order(no: 1) { no } }';
    await writeFile(join(folder, 'documents.json'), JSON.stringify({ one: trusted, [hashOf(trusted)]: trusted }));
    server = await startExampleServer({
      TRUSTED_DOCUMENTS: join(folder, 'documents.json'),
      TRUSTED_DOCUMENTS_ONLY: 'true',
    });
    await rm(folder, { recursive: true });
    const data = { order: { no: '1' } };
    const other = '{ __typename }';

    expect((await send({ documentId: 'one' })).data).toEqual(data);
    expect((await send({ documentId: `sha256:${hashOf(trusted)}` })).data).toEqual(data);
    expect((await send({ extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(trusted) } } })).data).toEqual(
      data,
    );
    const bad = { status: 400, code: 'BAD_REQUEST' };
    expect(await send({ documentId: 1, query: trusted })).toMatchObject(bad);
    expect(await send({ documentId: ['one'] })).toMatchObject(bad);
    expect(await send({ query: other })).toMatchObject({ status: 403, code: 'DOCUMENT_NOT_TRUSTED' });
    expect(await send({ documentId: 'two' })).toMatchObject({ status: 403, code: 'DOCUMENT_NOT_TRUSTED' });
    expect(await elsewhere(other)).toEqual(bothWith('DOCUMENT_NOT_TRUSTED'));
    // graphql-transport-ws wants a query.
    const overWebSocket = { query: '', documentId: 'one' };
    const [answer] = await Array.fromAsync(aClient(server.wsUrl).iterate(overWebSocket));
    expect(answer).toEqual({ data });
  });
});

describe('what developers are shown', () => {
  const SCHEMA = { query: '{ __schema { queryType { name } } }' };
  const shown = async () => ({
    schema: (await send(SCHEMA)).status === 200,
    page: (await fetch(server.url, { headers: { accept: 'text/html' } })).status === 200,
  });

  it.each([
    ['is all there is', {}, { schema: true, page: true }],
    [
      'can be switched off',
      { INTROSPECTION_ENABLED: 'false', SANDBOX_ENABLED: 'false' },
      { schema: false, page: false },
    ],
    ['is nothing in production', { NODE_ENV: 'production' }, { schema: false, page: false }],
    [
      'is the schema alone in production, where that is said',
      { NODE_ENV: 'production', INTROSPECTION_ENABLED: 'true' },
      { schema: true, page: false },
    ],
    [
      'is the page alone in production, where that is said',
      { NODE_ENV: 'production', SANDBOX_ENABLED: 'true' },
      { schema: false, page: true },
    ],
  ])('%s', async (_what, env, expected) => {
    server = await startExampleServer(env);
    expect(await shown()).toEqual(expected);
  });
});

describe('a name that is nearly right', () => {
  const messages = async (query: string, variables = {}) =>
    JSON.stringify((await server.post(query, { variables })).body);
  it.each<[string, string, object?]>([
    ['in a document', '{ found(who: { nationalI: "x" }) }'],
    ['in a variable', 'query ($who: Who) { found(who: $who) }', { who: { nationalI: 'x' } }],
    ['among others in a variable', 'query ($who: Who) { found(who: $who) }', { who: { nationalI: 'x', role: 'ADMN' } }],
  ])('%s gets no suggestion where the schema is not shown', async (_what, query, variables = {}) => {
    server = await startExampleServer({ INTROSPECTION_ENABLED: 'false' });

    const told = await messages(query, variables);

    expect(told).toContain('errors');
    expect(told).not.toMatch(/Did you mean|nationalId|ADMIN/);
  });
});

describe('hostile requests', () => {
  it.each([
    ['variables that nest 100 deep', { query: '{ __typename }', variables: nested(100) }, 400, 'VARIABLES_TOO_DEEP'],
    ['a list for variables', { query: '{ __typename }', variables: [] }, 400, 'BAD_REQUEST'],
    ['a number for a query', { query: 1 }, 400, 'BAD_REQUEST'],
    ['no query', {}, 400, 'BAD_REQUEST'],
    ['an unknown operation', { query: '{ __typename }', operationName: 'A' }, 400, 'OPERATION_RESOLUTION_FAILURE'],
  ])('with %s are refused', async (_what, body, status, code) => {
    server = await startExampleServer();
    expect(await send(body)).toMatchObject({ status, code });
  });

  it('of other content types are refused', async () => {
    server = await startExampleServer();
    const status = async (type: string) =>
      (
        await fetch(server.url, {
          method: 'POST',
          headers: { 'content-type': type },
          body: '{"query":"{ __typename }"}',
        })
      ).status;

    expect(
      await Promise.all(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'].map(status)),
    ).toEqual([415, 415, 415]);
  });
});

function nested(levels: number): object {
  return levels === 0 ? {} : { deeper: nested(levels - 1) };
}
