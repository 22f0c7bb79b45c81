import { SIGNED_CONTEXT } from '@foyer/shared/graphql/signed-context';
import { createClient, type Client } from 'graphql-ws';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import {
  cookie,
  customer,
  signContext,
  pair,
  scopeOf,
  subgraphBehindGateway,
} from './testing/subgraph-behind-gateway.ts';

const { ask, listeners, urls } = subgraphBehindGateway();

describe('a subgraph behind its gateway', () => {
  it('knows the viewer and the address of the client', async () => {
    expect(await ask('{ caller }')).toEqual({ data: { caller: 'C-1 from 203.0.113.7' } });
    const nobody = scopeOf({ viewer: null, client: { address: '203.0.113.8', userAgent: '' } });
    expect(await ask('{ caller }', nobody)).toEqual({ data: { caller: 'nobody from 203.0.113.8' } });
  });

  it('gives no caller the answer to the same query of another at the same moment', async () => {
    const others = Array.from({ length: 20 }, (_, at) =>
      scopeOf({ ...customer, client: { address: `203.0.113.${at}`, userAgent: '' } }),
    );
    const answers = await Promise.all(others.map((scope) => ask('{ caller }', scope)));
    expect(answers.map(({ data }) => data?.['caller'])).toEqual(
      others.map(({ client }) => `C-1 from ${client.address}`),
    );
  });

  it('gives no viewer the answer to the same query of another at the same address', async () => {
    const others = Array.from({ length: 20 }, (_, at) =>
      scopeOf({ ...customer, viewer: { kind: 'customer', custId: `C-${at}`, issuedAt: 0, expiresAt: 4_102_444_800 } }),
    );
    const answers = await Promise.all(others.map((scope) => ask('{ caller }', scope)));
    expect(answers.map(({ data }) => data?.['caller'])).toEqual(others.map((_, at) => `C-${at} from 203.0.113.7`));
  });

  it('sets the cookies of its use cases for the client of the gateway', async () => {
    const scope = scopeOf();
    expect(await ask('mutation { login }', scope)).toEqual({ data: { login: true } });
    expect(scope.reply.cookies).toEqual([cookie]);
  });

  it('shows refusals, and masks bugs', async () => {
    const { errors } = await ask('{ refused broken }');
    expect(errors?.map(({ path, extensions }) => [path?.[0], extensions['code'], extensions['reason']])).toEqual([
      ['refused', 'UNAUTHENTICATED', 'UNAUTHENTICATED'],
      ['broken', 'INTERNAL_SERVER_ERROR', undefined],
    ]);
    expect(JSON.stringify(errors)).not.toContain('password');
  });
});

describe('a caller other than the gateway', () => {
  it.each([
    ['without a signature', async () => ({})],
    ['with a signature of its own', async () => ({ [SIGNED_CONTEXT]: await signContext('identity', pair()) })],
    ['with one for another subgraph', async () => ({ [SIGNED_CONTEXT]: await signContext('media') })],
    ['with a claim instead', async () => ({ [SIGNED_CONTEXT]: JSON.stringify(customer) })],
  ])('is refused %s', async (_how, headers) => {
    const response = await fetch(urls.subgraph, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await headers()) },
      body: JSON.stringify({ query: '{ caller }' }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ success: false, code: 'NOT_THE_GATEWAY' });
  });

  const closeCode = async (greeting: Record<string, unknown>, extensions: Record<string, unknown>) => {
    const closed = Promise.withResolvers<number>();
    const client: Client = createClient({
      url: urls.subgraph.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: greeting,
      on: { closed: (event) => closed.resolve((event as { code: number }).code) },
    });
    client.subscribe(
      { query: 'subscription { newcomers }', extensions },
      { next: () => {}, error: () => {}, complete: () => {} },
    );
    const code = await closed.promise;
    await client.dispose();
    return code;
  };

  it('is closed with 4403 when its greeting is not signed', async () => {
    expect(await closeCode({}, { [SIGNED_CONTEXT]: await signContext() })).toBe(4403);
    expect(await closeCode({ [SIGNED_CONTEXT]: await signContext('identity', pair()) }, {})).toBe(4403);
  });

  it('is closed with 4403 when a subscription has no signed context', async () => {
    expect(await closeCode({ [SIGNED_CONTEXT]: await signContext() }, {})).toBe(4403);
    expect(listeners.size).toBe(0);
  });
});
