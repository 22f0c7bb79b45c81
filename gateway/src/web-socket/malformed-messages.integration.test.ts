import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { aSocket } from '../testing/ws-clients.ts';

let server: ExampleServer;
beforeAll(async () => {
  server = await startExampleServer({ GRAPHQL_WS_MAX_PER_ADDRESS: '1000' });
});
afterAll(() => server.stop());

const subscribe = (payload: unknown) => ({ type: 'subscribe', id: '1', payload });

const messages: [what: string, message: unknown][] = [
  ['an acknowledgement', { type: 'connection_ack' }],
  ['an acknowledgement with a payload', { type: 'connection_ack', payload: {} }],
  ['a result', { type: 'next', id: '1', payload: { data: null } }],
  ['a result without an id', { type: 'next', payload: { data: null } }],
  ['an error', { type: 'error', id: '1', payload: [{ message: 'x' }] }],
  ['an error that is no list', { type: 'error', id: '1', payload: {} }],
  ['a message of an unknown type', { type: 'start', id: '1' }],
  ['a message with a type of prototypes', { type: '__proto__' }],
  ['a message whose type is a list', { type: ['subscribe'] }],
  ['a message without a type', { id: '1' }],
  ['null', 'null'],
  ['a list', '[]'],
  ['a number', '7'],
  ['text', '"ping"'],
  ['no JSON', '{'],
  ['nothing', ''],
  ['a completion without an id', { type: 'complete' }],
  ['a completion with a number for an id', { type: 'complete', id: 1 }],
  ['a ping with text', { type: 'ping', payload: 'x' }],
  ['a pong with a list', { type: 'pong', payload: [] }],
  ['a greeting with text', { type: 'connection_init', payload: 'x' }],
  ['a subscription without a payload', { type: 'subscribe', id: '1' }],
  ['a subscription with null', subscribe(null)],
  ['a subscription without an id', { type: 'subscribe', payload: { query: '{ __typename }' } }],
  ['a subscription with a number for an id', { type: 'subscribe', id: 1, payload: { query: '{ __typename }' } }],
  ['a subscription whose query is a number', subscribe({ query: 7 })],
  ['a subscription whose variables are text', subscribe({ query: '{ __typename }', variables: 'x' })],
  ['a subscription whose variables are a list', subscribe({ query: '{ __typename }', variables: [] })],
  ['a subscription whose operation name is a list', subscribe({ query: '{ __typename }', operationName: [] })],
  ['a subscription whose extensions are text', subscribe({ query: '{ __typename }', extensions: 'x' })],
];

describe.each([
  ['before the greeting', false],
  ['after the greeting', true],
])('what no client may send, %s,', (_when, greeted) => {
  it.each(messages)('closes the connection with 4400 and prints nothing: %s', async (_what, message) => {
    const printed = vi.spyOn(console, 'error');
    const { send, closed, messages: heard } = await aSocket(server.wsUrl);
    if (greeted) {
      send({ type: 'connection_init' });
      await vi.waitUntil(() => heard.length > 0);
    }

    send(message);

    expect((await closed)[0]).toBe(4400);
    expect(printed).not.toHaveBeenCalled();
    expect(server.seen.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    printed.mockRestore();
  });
});
