import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';

const bearer = { authorization: 'Bearer customer' };
const cookie = { cookie: 'token=customer' };
const scope = () => ({
  requestId: 'rest-1',
  viewer: null,
  client: { address: '127.0.0.1', userAgent: '' },
  signal: new AbortController().signal,
  reply: { cookies: [] },
});

describe.each(['foyer', 'apollo'])('GraphQL over HTTP, by the executor of %s,', (executor) => {
  let server: ExampleServer;
  beforeAll(async () => {
    server = await startExampleServer({ ALLOWED_ORIGINS: 'https://shop.example', GATEWAY_EXECUTOR: executor });
  });
  afterAll(() => server.stop());

  it('joins the data of two subgraphs, under aliases and with variables', async () => {
    const { status, body } = await server.post(
      `query ($no: ID!) { bought: order(no: $no) { no lines { what count } who: buyer { called: name badge orders { no } } } }`,
      { variables: { no: 'A7' } },
    );

    expect(body).toEqual({
      data: {
        bought: {
          no: 'A7',
          lines: [{ what: 'seat', count: 2 }],
          who: { called: 'Aminah', badge: 'Aminah *', orders: [{ no: 'A1' }] },
        },
      },
    });
    expect(status).toBe(200);
  });

  it('makes one context for each subgraph and request', async () => {
    server.seen.batches.length = 0;

    await server.post('{ a: user(id: 1) { name friends { name } } b: order(no: 1) { buyer { name } } }');

    expect(server.seen.batches).toHaveLength(1);
  });

  it('shows a refusal with its facts and the request id, and without its origin', async () => {
    const { body } = await server.post('{ user(id: 1) { name refused } }');

    expect(body).toEqual({
      data: { user: { name: 'Aminah', refused: null } },
      errors: [
        {
          message: 'That is not yours.',
          path: ['user', 'refused'],
          extensions: { code: 'FORBIDDEN', reason: 'NOT_YOURS', hint: 'ask', requestId: expect.any(String) },
        },
      ],
    });
  });

  it('masks any other error, and logs it under the request id', async () => {
    const { body } = await server.post('{ broken }');

    const [error] = body.errors ?? [];
    expect(error).toEqual({
      message: 'Something went wrong on our side.',
      path: ['broken'],
      extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: expect.any(String) },
    });
    expect(server.seen.log.filter(({ requestId }) => requestId === error?.extensions['requestId'])).toEqual([
      expect.objectContaining({
        subgraph: 'people',
        err: expect.objectContaining({ message: 'the database at 10.0.0.7 is gone', stack: expect.any(String) }),
      }),
    ]);
  });

  it('keeps the path of an error in an entity of another subgraph', async () => {
    const { body } = await server.post('{ order(no: 1) { buyer { failing } } }');

    expect(body.errors).toEqual([
      expect.objectContaining({ path: ['order', 'buyer', 'failing'], message: 'Something went wrong on our side.' }),
    ]);
  });

  it('answers 401 to a bearer token that is not valid', async () => {
    const { status, headers, body } = await server.post('{ __typename }', {
      headers: { authorization: 'Bearer stale' },
    });

    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('invalid_token');
    expect(body.errors?.[0]?.extensions).toEqual({
      code: 'UNAUTHENTICATED',
      reason: 'UNAUTHENTICATED',
      requestId: expect.any(String),
    });
  });

  it('knows the viewer', async () => {
    expect((await server.post('{ me { name } }', { headers: bearer })).body.data).toEqual({ me: { name: 'Aminah' } });
    expect((await server.post('{ me { name } }')).body.errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
  });

  it('sends the cookies that a use case sets', async () => {
    const { headers } = await server.post('mutation { login(name: "a") { id } }');

    expect(headers.getSetCookie()).toEqual([
      'access_token=x; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
      'refresh_token=x; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });

  const ours = () => ({ origin: new URL(server.url).origin });

  it.each([
    ['our own page', () => ours(), 200, undefined],
    ['an allowed page', () => ({ origin: 'https://shop.example' }), 200, undefined],
    ['no browser', () => ({}), 200, undefined],
    ['a foreign page', () => ({ origin: 'https://evil.example' }), 403, 'FOREIGN_ORIGIN'],
    ['a page without an origin', () => ({ origin: 'null' }), 403, 'FOREIGN_ORIGIN'],
    ['a foreign page that hides its origin', () => ({ 'sec-fetch-site': 'cross-site' }), 403, 'FOREIGN_ORIGIN'],
    [
      'a page of our host over another scheme',
      () => ({ ...ours(), 'sec-fetch-site': 'cross-site' }),
      403,
      'FOREIGN_ORIGIN',
    ],
    ['our page, as its browser says', () => ({ ...ours(), 'sec-fetch-site': 'same-origin' }), 200, undefined],
  ])('decides whether %s may use the session cookie', async (_who, headers, status, reason) => {
    const pay = await server.post('mutation { pay(no: 1) { no } }', {
      headers: { ...cookie, ...headers() },
    });

    expect(pay.status).toBe(status);
    expect(pay.body.errors?.[0]?.extensions['reason']).toBe(reason);
  });

  it.each([
    ['with a token of its own', bearer],
    ['as nobody', {}],
  ])('lets a foreign page do nothing, not even %s', async (_how, credential) => {
    const { status, body } = await server.post('mutation { pay(no: 1) { no } }', {
      headers: { ...credential, origin: 'https://evil.example' },
    });

    expect([status, body.errors?.[0]?.extensions['reason']]).toEqual([403, 'FOREIGN_ORIGIN']);
  });

  it('refuses requests that a foreign page could send without a preflight', async () => {
    const simple = await fetch(`${server.url}?query={__typename}`, { headers: { 'content-type': 'text/plain' } });

    expect(simple.status).toBe(400);
    expect(await simple.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST', requestId: expect.any(String) } }],
    });
  });

  it.each([
    ['a subscription', 'subscription { everyOrder { no } }', 405, 'BAD_USER_INPUT'],
    [
      'a conditional subscription',
      'subscription ($on: Boolean!) { everyOrder @include(if: $on) { no } }',
      400,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['an unknown field', '{ unknown }', 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['half a document', '{ order(no: 1) ', 400, 'GRAPHQL_PARSE_FAILED'],
    [
      'two operations without a name',
      'query A { __typename } query B { __typename }',
      400,
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['a missing variable', 'query ($no: ID!) { order(no: $no) { no } }', 400, 'BAD_USER_INPUT'],
    [
      '31 aliases',
      `{ ${Array.from({ length: 31 }, (_, at) => `a${at}: me { id }`).join(' ')} }`,
      400,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['2,001 words', `{ ${'x '.repeat(2_001)} }`, 400, 'GRAPHQL_PARSE_FAILED'],
  ])('refuses %s', async (_what, query, status, code) => {
    const response = await server.post(query);

    expect([response.status, response.body.errors?.[0]?.extensions['code']]).toEqual([status, code]);
    expect(response.body.errors?.[0]?.extensions['requestId']).toEqual(expect.any(String));
  });

  it('refuses batches, other methods and bodies that are not JSON', async () => {
    const send = async (method: string, body: string) => {
      const response = await fetch(server.url, { method, body, headers: { 'content-type': 'application/json' } });
      const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
      return [response.status, errors[0]?.extensions.code];
    };

    expect(await send('POST', '[{"query":"{ __typename }"}]')).toEqual([400, 'BAD_REQUEST']);
    expect(await send('PUT', '{"query":"{ __typename }"}')).toEqual([405, 'BAD_REQUEST']);
    expect(await send('POST', '{')).toEqual([400, 'BAD_REQUEST']);
    for (const version of [1, 9]) {
      const extensions = { persistedQuery: { version, sha256Hash: 'of another query' } };
      expect(await send('POST', JSON.stringify({ query: '{ __typename }', extensions }))).toEqual([400, 'BAD_REQUEST']);
    }
    expect(await send('POST', JSON.stringify({ query: `#${'x'.repeat(600_000)}` }))).toEqual([413, 'BAD_REQUEST']);
  });

  it.each(['null', '', ' null '])('takes variables and extensions of a GET that are "%s" as left out', async (text) => {
    for (const accept of ['application/json', 'text/event-stream']) {
      const search = new URLSearchParams({ query: '{ __typename }', variables: text, extensions: text });
      const headers = { accept, 'apollo-require-preflight': '1' };
      const response = await fetch(`${server.url}?${search.toString()}`, { headers });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"Query"')]);
    }
  });

  it('refuses text with NUL, wherever it is', async () => {
    const answers = [
      await server.post('query ($no: ID!) { order(no: $no) { no } }', { variables: { no: 'A\u00007' } }),
      await server.post(String.raw`{ order(no: "A\u00007") { no } }`),
    ];
    for (const { body } of answers) expect(body.errors).toMatchObject([{ extensions: { reason: 'NUL_IN_TEXT' } }]);
  });

  it('refuses a lone surrogate', async () => {
    const { body } = await server.post('query ($no: ID!) { order(no: $no) { no } }', { variables: { no: 'A\ud800' } });
    expect(body.errors).toMatchObject([{ extensions: { reason: 'HALF_A_CHARACTER' } }]);
  });

  it('runs documents of the server without HTTP, with the same errors', async () => {
    const document = parse('query ($id: ID!) { user(id: $id) { name refused failing } }');

    const { data, errors } = await server.gateway.execute({ document, variables: { id: '2' } }, scope());

    expect(data).toEqual({ user: { name: 'Bala', refused: null, failing: null } });
    expect(errors?.map(({ extensions }) => extensions)).toEqual([
      { code: 'FORBIDDEN', reason: 'NOT_YOURS', hint: 'ask', requestId: 'rest-1' },
      { code: 'INTERNAL_SERVER_ERROR', requestId: 'rest-1' },
    ]);
  });

  it('tells the subgraphs when the client has gone', async () => {
    const leaving = new AbortController();
    server.seen.scopes.length = 0;
    const response = fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ slow }' }),
      signal: leaving.signal,
    });
    await expect.poll(() => server.seen.scopes).toHaveLength(1);

    leaving.abort();

    await expect(response).rejects.toThrow('aborted');
    await expect.poll(() => server.seen.scopes[0]?.signal.aborted).toBe(true);
  });
});
