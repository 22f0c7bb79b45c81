import { createClient as sseClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { executorNames } from '../testing/executors.ts';
import { aClient, aSocket, watch } from '../testing/ws-clients.ts';

describe.each(executorNames)('bad input, by the executor of %s', (executor) => {
  let server: ExampleServer;
  beforeAll(async () => {
    server = await startExampleServer({ GATEWAY_EXECUTOR: executor });
  });
  afterAll(() => server.stop());

  type Errors = readonly { extensions?: Record<string, unknown> }[];
  const reasonOf = (errors: Errors | undefined) =>
    errors?.[0]?.extensions?.['reason'] ?? errors?.[0]?.extensions?.['code'];

  async function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const text = await response.text();
    const { errors } = JSON.parse(text) as { errors?: Errors };
    return { status: response.status, reason: reasonOf(errors), text };
  }
  const times = (count: number, text: string) => text.repeat(count);

  /** A document, or one of its parts, that requests too much or nothing clear. */
  const documents: [what: string, query: string, reason: string | RegExp][] = [
    ['deep', `{ user(id: 1) ${times(13, '{ friends ')} { name } ${times(13, '}')} }`, 'MAX_DEPTH'],
    ['wide', `{ user(id: 1) { ${times(1_001, 'name ')} } }`, 'MAX_FIELDS'],
    [
      'of too many root fields',
      `{ ${Array.from({ length: 21 }, (_, at) => `a${at}: me { name }`).join(' ')} }`,
      'MAX_ROOT_FIELDS',
    ],
    ['long', `{ me { ${times(2_001, 'name ')} } }`, 'GRAPHQL_PARSE_FAILED'],
    // Code that has run often needs less stack, so the overflow may not occur: documents.test.ts has more cases.
    ['of lists within lists', `{ order(no: ${times(1_900, '[')}) { no } }`, /^(MAX_DEPTH|GRAPHQL_PARSE_FAILED)$/],
    [
      'of lists within lists, each closed',
      `{ order(no: ${times(900, '[')}${times(900, ']')}) { no } }`,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['of fragments in a circle', '{ me { ...A } } fragment A on User { ...A }', 'GRAPHQL_VALIDATION_FAILED'],
    ['of unknown directives', `{ me { name ${times(900, '@a ')} } }`, 'GRAPHQL_VALIDATION_FAILED'],
    ['nothing but a comment', `# ${times(300_000, 'x')}`, 'GRAPHQL_PARSE_FAILED'],
    ['half a document', '{ me {', 'GRAPHQL_PARSE_FAILED'],
    ['binary', '{ me \0 }', 'GRAPHQL_PARSE_FAILED'],
    ['with half a character', '{ order(no: "\ud800") { no } }', 'GRAPHQL_PARSE_FAILED'],
    ['of two operations without a name', '{ me { name } } { me { name } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'of two operations, of which none is chosen',
      'query A { __typename } query B { __typename }',
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['of two operations of one name', 'query A { __typename } query A { __typename }', 'GRAPHQL_VALIDATION_FAILED'],
    ['with an argument twice', '{ order(no: 1, no: 2) { no } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['with two meanings of one name', '{ me { a: name a: id } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['with a number that is too large', '{ bornOn(day: -1e400) { name } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'with a number of four hundred digits',
      `query ($day: Date = [${times(400, '9')}]) { bornOn(day: $day) { name } }`,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a schema', 'type Query { a: Int }', 'GRAPHQL_VALIDATION_FAILED'],
  ];

  describe('a document that is', () => {
    it('nested deeper than the stack is refused as too deep', async () => {
      const other = await startExampleServer({ GRAPHQL_MAX_TOKENS: '200000' });
      const { status, body } = await other.post(`{ order(no: ${times(100_000, '[')}) { no } }`);
      await other.stop();

      expect(status).toBe(400);
      expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'GRAPHQL_PARSE_FAILED', reason: 'MAX_DEPTH' });
    });

    it('wrong after many lines is refused with its position', async () => {
      const { body } = await server.post(`${times(10, '#\n')}{ unknown }`);

      expect(body.errors).toMatchObject([{ locations: [{ line: 11, column: 3 }] }]);
    });

    it.each(documents)(
      '%s is refused, over HTTP, server-sent events and WebSocket alike',
      async (_what, query, reason) => {
        const refused = expect.stringMatching(typeof reason === 'string' ? new RegExp(`^${reason}$`) : reason);
        expect(await send(JSON.stringify({ query }))).toMatchObject({ status: 400, reason: refused });

        const byEvents: { errors?: Errors }[] = [];
        await new Promise((resolve, reject) => {
          sseClient({ url: server.url, retryAttempts: 0 }).subscribe(
            { query },
            {
              next: (result) => void byEvents.push(result as never),
              error: reject,
              complete: () => resolve(undefined),
            },
          );
        });
        expect(reasonOf(byEvents[0]?.errors)).toEqual(refused);

        const { results, ended } = watch(aClient(server.wsUrl), query);
        const end = await ended;
        expect(reasonOf(end === 'complete' ? (results[0]?.errors as Errors) : (end as Errors))).toEqual(refused);
      },
    );

    it('with an id of four hundred digits is not refused: it is text', async () => {
      const no = times(400, '9');
      expect((await server.post(`{ order(no: ${no}) { no } }`)).body.data).toEqual({ order: { no } });
    });

    it('all of that leaves the server unaffected', async () => {
      expect((await server.post('{ order(no: 1) { no } }')).body.data).toEqual({ order: { no: '1' } });
      expect(server.seen.log).toEqual([]);
    });
  });

  describe('a request that is', () => {
    it.each<[string, string | Uint8Array<ArrayBuffer>, number, string]>([
      ['not UTF-8', Uint8Array.from(Buffer.from('{"query":"{ __typename } # José"}', 'latin1')), 400, 'BAD_REQUEST'],
      ['a batch', '[{"query":"{ __typename }"}]', 400, 'BAD_REQUEST'],
      ['nothing', 'null', 400, 'BAD_REQUEST'],
      ['brackets without end', times(400_000, '['), 400, 'BAD_REQUEST'],
      ['a text without end', String.raw`{"query":1,"query":"${times(200_000, String.raw`\"`)}`, 400, 'BAD_REQUEST'],
      ['huge', JSON.stringify({ query: times(600_000, ' ') }), 413, 'BAD_REQUEST'],
      ['two queries in one', '{"query":"{ __typename }","query":"{ me { name } }"}', 400, 'BAD_REQUEST'],
      [
        'two queries in one, spelled apart',
        String.raw`{"query":"{ __typename }","\u0071uery":"{ me }"}`,
        400,
        'BAD_REQUEST',
      ],
      ['variables as text', '{"query":"{ __typename }","variables":"{}"}', 400, 'BAD_REQUEST'],
      ['a name that is a number', '{"query":"{ __typename }","operationName":5}', 400, 'BAD_REQUEST'],
      [
        'a trap for prototypes',
        '{"query":"{ __typename }","variables":{"__proto__":{"admin":true}}}',
        400,
        'BAD_REQUEST',
      ],
      ['its sibling', '{"query":"{ __typename }","variables":{"constructor":{"prototype":{}}}}', 400, 'BAD_REQUEST'],
    ])('%s is refused', async (_what, body, status, reason) => {
      expect(await send(body)).toMatchObject({ status, reason });
    });

    it('ordinary may have a very long client name, of which subgraphs get the beginning', async () => {
      const headers = { 'user-agent': 'x'.repeat(12_300) };
      const query = '{ me { name } }';
      await send(JSON.stringify({ query }), headers);
      const client = aClient(server.wsUrl, { headers });
      await watch(client, query).ended;

      const heard = server.seen.scopes.slice(-2).map(({ client: { userAgent } }) => userAgent.length);
      expect(heard).toEqual([512, 512]);
      await client.dispose();
    });

    it('ordinary may contain the names of parameters in its variables', async () => {
      const variables = { no: '"query":', query: { query: 'query', variables: [{ query: 1 }] } };
      const { status, text } = await send(
        JSON.stringify({ query: 'query ($no: ID!) { order(no: $no) { no } }', variables }),
      );
      expect([status, text]).toEqual([200, '{"data":{"order":{"no":"\\"query\\":"}}}']);
    });

    it('ordinary may be one long text with every character escaped', async () => {
      const body = `{"query":"query ($no: ID!) { order(no: $no) { no } }","variables":{"no":"${times(80_000, String.raw`\u0041`)}"}}`;
      expect((await send(body)).text).toContain(times(80_000, 'A'));
    });

    it.each([
      ['application/x-www-form-urlencoded', {}, 415],
      ['multipart/form-data; boundary=x', {}, 415],
      ['application/json-patch+json', {}, 415],
      ['application/json', { 'content-encoding': 'gzip' }, 415],
      ['application/json', { 'content-encoding': 'br' }, 415],
      ['text/plain', {}, 415],
    ])('%s %o is not read', async (type, headers, status) => {
      expect((await send('{"query":"{ __typename }"}', { 'content-type': type, ...headers })).status).toBe(status);
    });

    it.each([
      ['a query twice', '?query={__typename}&query={me{name}}'],
      ['variables twice', '?query={__typename}&variables={}&variables={}'],
      ['a trap for prototypes', `?query={__typename}&variables=${encodeURIComponent('{"__proto__":{"admin":true}}')}`],
    ])('%s in the query string is refused', async (_what, address) => {
      const response = await fetch(`${server.url}${address}`, { headers: { 'apollo-require-preflight': '1' } });
      expect(response.status).toBe(400);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    });
  });

  describe('variables that are', () => {
    const withNo = (no: string) => `{"query":"query ($no: ID!) { order(no: $no) { no } }","variables":{"no":${no}}}`;
    it.each([
      ['a number beyond all', withNo('1e400'), 'VALIDATION_FAILED'],
      ['a hundred thousand digits', withNo(times(100_000, '9')), 'VALIDATION_FAILED'],
      ['half a character', withNo(String.raw`"\ud800"`), 'HALF_A_CHARACTER'],
      ['an object where none fits', withNo('{"a":1}'), 'VALIDATION_FAILED'],
      ['lists within lists', withNo(`${times(100_000, '[')}${times(100_000, ']')}`), 'VARIABLES_TOO_DEEP'],
      ['objects within objects', withNo(`${times(50_000, '{"a":')}1${times(50_000, '}')}`), 'VARIABLES_TOO_DEEP'],
    ])('%s are refused', async (_what, body, reason) => {
      expect(await send(body)).toMatchObject({ status: 400, reason });
    });

    it.each([
      ['a condition', 'query ($x: Boolean = true) { user(id: 1) { id name @include(if: $x) } }'],
      ['a condition around much', 'query ($x: Boolean = true) { ... @skip(if: $x) { user(id: 1) { id } } }'],
      [
        'a condition in a fragment',
        'query ($x: Boolean = true) { ...F } fragment F on Query { me { id @skip(if: $x) } }',
      ],
      ['a condition on the schema', 'query ($x: Boolean = true) { __schema { queryType { name @include(if: $x) } } }'],
      ['an argument', 'query ($x: ID = 1) { user(id: $x) { id } }'],
      ['a name of a type', 'query ($x: String = "Line") { __type(name: $x) { name } }'],
      ['a mutation', 'mutation ($x: String = "a") { login(name: $x) { id } }'],
    ])('null, for %s that needs one, are refused, and nothing is logged as a bug', async (_what, query) => {
      const { body, status } = await server.post(query, { variables: { x: null } });

      expect(status).toBe(400);
      expect(body).toMatchObject({
        errors: [
          {
            message: expect.stringContaining('null'),
            extensions: { code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED' },
          },
        ],
      });
      expect(body).not.toHaveProperty('data');
      expect(server.seen.log).toEqual([]);
    });

    it('null, where null is allowed, or left out, are accepted', async () => {
      const query = 'query ($x: Boolean = true, $who: Who) { user(id: 1) { id @include(if: $x) } found(who: $who) }';

      expect((await server.post(query, { variables: { who: null } })).body).toEqual({
        data: { user: { id: '1' }, found: null },
      });
    });

    it('malicious or deep are refused over WebSocket and for subscriptions too', async () => {
      const query = 'subscription ($no: ID!) { orderPaid(no: $no) { no } }';
      const { send: say, messages } = await aSocket(server.wsUrl);
      say({ type: 'connection_init' });
      await expect.poll(() => messages).toHaveLength(1);

      const subscribe = (id: string, no: string) =>
        say(`{"type":"subscribe","id":"${id}","payload":{"query":"${query}","variables":{"no":${no}}}}`);
      subscribe('trap', '{"__proto__":{"admin":true}}');
      subscribe('deep', `${times(50_000, '[')}${times(50_000, ']')}`);

      const refused = (id: string) =>
        messages.filter((message) => message['id'] === id && message['type'] !== 'complete');
      const reason = (id: string) => JSON.stringify(refused(id)).match(/"reason":"(\w+)"/)?.[1];
      await expect.poll(() => [reason('trap'), reason('deep')]).toEqual(['PROTOTYPE_KEY', 'VARIABLES_TOO_DEEP']);
    });

    it('named like the properties of every object are like all others', async () => {
      const { text } = await send('{"query":"query ($toString: ID!) { order(no: $toString) { no } }","variables":{}}');
      expect(text).toContain('toString is missing.');
    });
  });

  describe('a response name', () => {
    it('may be any, also __proto__', async () => {
      const { text } = await send(
        JSON.stringify({
          query:
            '{ __proto__: order(no: 1) { constructor: no buyer { __proto__: name badge toString: orders { no } } } }',
        }),
      );
      expect(text).toBe(
        '{"data":{"__proto__":{"constructor":"1","buyer":{"__proto__":"Aminah","badge":"Aminah *","toString":[{"no":"A1"}]}}}}',
      );
    });
  });
});
