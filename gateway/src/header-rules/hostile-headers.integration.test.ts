import { beforeEach, describe, expect, it, vi } from 'vitest';

import { readConfig } from '../config.ts';
import { gatewayOverRemoteShops, reasonsOf } from '../testing/gateway-over-remote-shops.ts';
import { shops } from '../testing/shops.ts';
import { aClient, aSocket, watch } from '../testing/ws-clients.ts';

const { ask, at, log, open, streamUrl } = gatewayOverRemoteShops();

/** Texts that no HTTP header may hold. */
const illegal: [string, string][] = [
  ['an emoji', '😀'],
  ['half a character', '\ud800'],
  ['a line feed', 'a\r\nx-admin: yes'],
  ['a null character', 'a\0'],
  ['a character beyond Latin-1', 'ĀĀ'],
  ['a delete character', 'a\x7f'],
];

beforeEach(() =>
  open({ FORWARD_HEADERS: 'authorization,x-tenant', SUBGRAPH_BREAKER_FAILURES: '2', SUBGRAPH_BREAKER_MS: '60000' }),
);

describe('a WebSocket greeting with a forwarded header that contains', () => {
  it.each(illegal)('%s is refused, and affects nobody else', async (_what, value) => {
    const other = aClient(streamUrl());
    const { results } = watch(other, 'subscription { reviewed { stars } }');
    await expect.poll(() => shops.watchers()).toBe(1);

    for (const name of ['authorization', 'X-Tenant'])
      for (let times = 0; times < 3; times += 1) {
        const { send, closed, messages } = await aSocket(streamUrl());
        send({ type: 'connection_init', payload: { [name]: value } });
        await Promise.race([closed, vi.waitUntil(() => messages.length > 0)]);
        send({ type: 'subscribe', id: '1', payload: { query: '{ me { name } }' } });
        send({ type: 'subscribe', id: '2', payload: { query: 'subscription { reviewed { stars } }' } });
        expect((await closed)[0]).toBe(4400);
      }

    shops.review();
    await expect.poll(() => results).toEqual([{ data: { reviewed: { stars: 1 } } }]);
    expect(await ask('{ me { name } }')).toEqual({ data: { me: { name: 'Aminah' } } });
    expect(log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    await other.dispose();
  });

  it('more than a subgraph reads is refused, over HTTP as well', async () => {
    const authorization = 'x'.repeat(9_000);
    const { send, closed } = await aSocket(streamUrl());
    send({ type: 'connection_init', payload: { authorization } });

    expect((await closed)[0]).toBe(4400);
    expect(reasonsOf(await ask('{ me { name } }', { authorization }))).toEqual(['HEADERS_TOO_LARGE']);
    expect(at('users').requests).toEqual([]);
  });

  it('a valid value reaches the subgraph unchanged', async () => {
    const authorization = 'Bearer \t "caf\xe9" \xff';
    const client = aClient(streamUrl(), { connectionParams: { authorization } });

    const { results, ended } = watch(client, '{ me { name } }');

    await ended;
    expect(results).toEqual([{ data: { me: { name: 'Aminah' } } }]);
    expect(at('users').requests[0]?.headers).toMatchObject({ authorization });
    await client.dispose();
  });
});

it.each(['Host', 'content-length', 'x-tenant,Transfer-Encoding', 'sec-websocket-key', 'no header'])(
  'a gateway does not start when it is configured to forward %s',
  (names) => {
    expect(() => readConfig({ FORWARD_HEADERS: names })).toThrow('FORWARD_HEADERS');
  },
);
