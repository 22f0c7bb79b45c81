import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { multicast, openChannels, ordersTo, type ChannelsFixture } from '../support/fixtures/channels.ts';
import { holdAt } from '../support/servers/streamer-node.ts';
import { until } from '../support/until.ts';

let own: ChannelsFixture;

beforeAll(async () => {
  own = await openChannels({ STREAMER_TIMEOUT_MS: '60000' }); // a node that is held back answers in the end
});
afterAll(() => own?.close());

describe('a channel whose origins are checked', () => {
  it('shows by polling which origins lost the stream, came back, or can not be reached', async () => {
    const [loses, goes] = [await own.aNode('loses it'), await own.aNode('goes away')];
    const { id } = (await own.create(multicast('Watched', loses, goes))).json.data;
    expect(await own.statusOf(id)).toEqual(['active', 'active']);

    loses.refuses = 'POST';
    loses.streams.clear();
    goes.stop();
    await until('both to be noticed', async () => (await own.statusOf(id)).join() === 'failed,unreachable');

    loses.streams.add('watched.stream');
    await until('it to be back', async () => (await own.statusOf(id)).join() === 'active,unreachable');
  });

  it('gets its stream again from a streamer that was started anew, as it is configured now', async () => {
    const node = await own.aNode('starts anew');
    const { id } = (await own.create(multicast('Restored', node))).json.data;
    await own.change(id, { ingestConfig: { chunkDuration: '900ms' } });
    const before = ordersTo(node).length;

    node.streams.clear();
    await until('the stream', async () => node.streams.has('restored.stream'));
    await until('it to be recorded', async () => (await own.statusOf(id)).join() === 'active');

    const since = ordersTo(node).slice(before);
    expect(since.map(({ method }) => method)).not.toContain('DELETE');
    const [order, ...more] = since.filter(({ method }) => method === 'POST');
    expect(JSON.parse(order?.body ?? '')).toMatchObject({ chunkDuration: '900ms', url: 'udp://239.0.0.1:5000' });
    expect(more).toEqual([]);
  });

  it('gets its stream once a streamer takes the order that it refused when the channel was created', async () => {
    const [good, bad] = [await own.aNode('takes it'), await own.aNode('takes it later')];
    bad.refuses = 'POST';
    const { id } = (await own.create(multicast('Later', good, bad))).json.data;
    const orders = () => ordersTo(bad).filter(({ method }) => method === 'POST').length;
    await until('what the first of two further orders found to be recorded', async () => orders() >= 3);
    expect(await own.statusOf(id)).toEqual(['active', 'failed']);

    bad.refuses = undefined;
    await until('it to stream', async () => (await own.statusOf(id)).join() === 'active,active');
    expect([...bad.streams]).toEqual(['later.stream']);
  });

  it('stays failed where a streamer says that the stream exists, and does not list it', async () => {
    const node = await own.aNode('pretends');
    const { id } = (await own.create(multicast('Pretended', node))).json.data;
    node.answer = 500;
    node.streams.clear();
    const orders = () => ordersTo(node).filter(({ method }) => method === 'POST').length;
    await until('what the first of two orders found to be recorded', async () => orders() >= 3);
    expect(await own.statusOf(id)).toEqual(['failed']);
  });

  it('whose change a streamer did not take is not active again by polling, and the next update tries it again', async () => {
    const node = await own.aNode('keeps the old one');
    const { id } = (await own.create(multicast('Old', node))).json.data;
    const change = () => own.change(id, { ingestConfig: { chunkDuration: '900ms' } });
    node.refuses = 'DELETE';
    expect((await change()).json.failures).toMatchObject([{ code: 'NODE_REFUSED' }]);
    const looks = () => ordersTo(node).filter(({ method }) => method === 'GET').length;
    const before = looks();
    await until('what the first of two looks found to be recorded', async () => looks() >= before + 2);
    expect(await own.statusOf(id)).toEqual(['failed']);

    node.refuses = undefined;
    expect((await change()).json.failures).toEqual([]);

    expect(JSON.parse(ordersTo(node).findLast(({ method }) => method === 'POST')?.body ?? '')).toMatchObject({
      chunkDuration: '900ms',
    });
    expect(await own.statusOf(id)).toEqual(['active']);
  });

  it('leaves no stream that a check has ordered when its creation is rolled back', async () => {
    const [refuses, hangs] = [await own.aNode('refuses at first'), await own.aNode('hangs')];
    refuses.refuses = 'POST';
    hangs.answer = 503;
    const hold = holdAt(hangs, 'POST');
    const created = own.create(multicast('Rolled back', refuses, hangs));
    await hold.waiting(1);
    refuses.refuses = undefined;
    await until('a check to order it', async () => refuses.streams.has('rolled_back.stream'));

    hold.open();
    expect((await created).status).toBe(502);
    await until('its end', async () => refuses.streams.size === 0);
  });
});
