import { describe, expect, it, vi } from 'vitest';

import { gatewayOverRemoteShops } from '../testing/gateway-over-remote-shops.ts';
import { shops } from '../testing/shops.ts';
import { aSocket } from '../testing/ws-clients.ts';

const { at, open, streamUrl } = gatewayOverRemoteShops();

describe('a client that does not read a flood of events', () => {
  const EVENTS = 120;
  const id = 'x'.repeat(500_000);

  /** Opens a client that has not read a byte since the subgraph began to flood it. */
  async function flooded() {
    const opened = await aSocket(streamUrl());
    opened.send({ type: 'connection_init' });
    await expect.poll(() => opened.messages).toHaveLength(1);
    opened.send({ type: 'subscribe', id: '1', payload: { query: 'subscription { reviewed { id } }' } });
    await expect.poll(() => shops.watchers()).toBe(1);
    opened.socket.pause();
    const before = shops.told();
    for (let at = 0; at < EVENTS; at += 1) shops.review({ id });
    return { ...opened, told: () => shops.told() - before };
  }
  /** No event says that nothing more comes. */
  const QUIET_MS = 500;

  /** Returns a value once it has not changed for a while. */
  async function settled(count: () => number): Promise<number> {
    for (;;) {
      const before = count();
      await new Promise((resolve) => void setTimeout(resolve, QUIET_MS));
      if (before > 0 && count() === before) return before;
    }
  }

  it('leaves the rest at the subgraph, and gets all of it when it reads again', async () => {
    await open();
    const { socket, messages, told } = await flooded();

    expect(await settled(told)).toBeLessThan(EVENTS);

    socket.resume();
    await vi.waitFor(() => expect(messages).toHaveLength(1 + EVENTS), 200_000);
    socket.close();
  });

  it('keeps no connection to the subgraph after it has left', async () => {
    await open();
    const { send, socket, told } = await flooded();
    await settled(told);

    send({ type: 'complete', id: '1' });

    await expect.poll(() => [shops.watchers(), at('reviews').sockets()], { timeout: 5_000 }).toEqual([0, 0]);
    socket.terminate();
  });
});
