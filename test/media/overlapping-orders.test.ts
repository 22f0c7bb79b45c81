import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { multicast, openChannels, ordersTo, type ChannelsFixture } from '../support/fixtures/channels.ts';
import type { Json } from '../support/json.ts';
import { createOrganization } from '../support/fixtures/organization.ts';
import { logIn, send } from '../support/fixtures/people.ts';
import { holdAt, type StreamerNode } from '../support/servers/streamer-node.ts';
import { until } from '../support/until.ts';

let own: ChannelsFixture;

beforeAll(async () => {
  own = await openChannels({ RESTORE_STREAMS: 'off' }); // or a check would repair what an order leaves behind
});
afterAll(() => own?.close());

const countOf = (node: StreamerNode, method: string) =>
  ordersTo(node).filter((order) => order.method === method).length;
/** What a node took its stream with: of several orders the first after the last end. */
function runningAt(node: StreamerNode): Json {
  const since = ordersTo(node).slice(ordersTo(node).findLastIndex(({ method }) => method === 'DELETE') + 1);
  return JSON.parse(since.find(({ method }) => method === 'POST')?.body ?? '{}');
}
const chunks = (chunkDuration: string) => ({ ingestConfig: { chunkDuration } });

describe('a new channel', () => {
  it('leaves no stream behind when it is deleted before its streamer has the stream', async () => {
    const node = await own.aNode('slow to take it');
    const hold = holdAt(node, 'POST');
    const created = own.create(multicast('Deleted early', node));
    await hold.waiting(1);
    const listed = (await send(own.server, 'GET', '/channels?limit=100')).json.data;
    const { id } = listed.find(({ name }: Json) => name === 'Deleted early');
    await send(own.server, 'DELETE', `/channels/${id}`);
    await until('the deletion and its job to have ended it', async () => countOf(node, 'DELETE') === 2);

    hold.open();
    expect((await created).status).toBe(404);
    await until('the stream to end', async () => countOf(node, 'DELETE') > 2 && node.streams.size === 0);
  });
});

describe('a channel that is created again', () => {
  it('has its stream, also when the end of the stream before it arrives late', async () => {
    const node = await own.aNode('slow to end it');
    const { id } = (await own.create(multicast('Again', node))).json.data;
    const hold = holdAt(node, 'DELETE');
    const deleted = send(own.server, 'DELETE', `/channels/${id}`);
    await hold.waiting(2); // of the deletion, and of its job
    const again = await own.create(multicast('Again', node));
    expect(again.json.failures).toEqual([]);

    hold.open();
    expect((await deleted).status).toBe(200);
    await until('both ends, and the stream', async () => countOf(node, 'DELETE') === 2 && node.streams.size === 1);
    await until('its status', async () => (await own.statusOf(again.json.data.id))[0] === 'active');
  });
});

describe('an existing channel', () => {
  it('leaves no stream behind when it is deleted while a change is on its way', async () => {
    const node = await own.aNode('slow to change');
    const { id } = (await own.create(multicast('Deleted', node))).json.data;
    const hold = holdAt(node, 'POST');
    const changed = own.change(id, chunks('900ms'));
    await hold.waiting(1);
    await send(own.server, 'DELETE', `/channels/${id}`);
    await until('change, deletion and its job to have ended it', async () => countOf(node, 'DELETE') === 3);

    hold.open();
    expect((await changed).status).toBe(404);
    await until('the stream to end', async () => countOf(node, 'DELETE') > 3 && node.streams.size === 0);
  });

  it('orders and ends nothing of another organization when it is deleted during a change', async () => {
    const [contested, slow] = [await own.aNode('contested'), await own.aNode('slow to end a stream')];
    const acme = await logIn(own.server, 'orgadmin@acme.test', 'ACME');
    const { admin, workspaceId } = await createOrganization(own.server);
    const createAs = (headers: Record<string, string>, workspace: string, ...on: StreamerNode[]) =>
      send(own.server, 'POST', `/channels?workspaceId=${workspace}`, { headers, body: multicast('Contested', ...on) });
    expect((await createAs(acme.headers, demo.acme.workspaceId, contested)).json.failures).toEqual([]);
    const theirs = `/channels/${(await createAs(admin.headers, workspaceId, contested, slow)).json.data.id}`;

    const hold = holdAt(slow, 'DELETE');
    const { origins } = multicast('Contested', contested);
    const changed = send(own.server, 'PUT', theirs, { headers: admin.headers, body: { origins } });
    await until('the end of its stream to wait', async () => hold.count() > 0);
    expect((await send(own.server, 'DELETE', theirs, { headers: admin.headers })).status).toBe(200);
    hold.open();
    expect((await changed).status).toBe(404);
    expect([countOf(contested, 'POST'), countOf(contested, 'DELETE')]).toEqual([1, 0]);
  });

  it.each([
    ['before that of the later', 'POST', 0],
    ['after that of the later', 'DELETE', 1],
  ])(
    'runs as the later of two changes says, also when the order of the earlier arrives %s',
    async (when, method, at) => {
      const node = await own.aNode(when);
      const { id } = (await own.create(multicast(`Changed ${when}`, node))).json.data;
      const hold = holdAt(node, method);
      const earlier = own.change(id, chunks('700ms'));
      await hold.waiting(1);
      const later = own.change(id, chunks('800ms'));
      await hold.waiting(2);
      hold.pass(at);
      await until('the first of both orders to arrive', async () => countOf(node, 'POST') === 2);

      hold.open();
      expect([(await earlier).json.failures, (await later).json.failures]).toEqual([[], []]);
      expect(runningAt(node)).toMatchObject({ chunkDuration: '800ms', url: 'udp://239.0.0.1:5000' });
      expect(await own.statusOf(id)).toEqual(['active']);
    },
  );

  it('is not active by polling where an earlier change arrived last and the later one was refused then', async () => {
    const node = await own.aNode('refuses to correct it');
    const { id } = (await own.create(multicast('Not corrected', node))).json.data;
    const hold = holdAt(node, 'DELETE');
    const earlier = own.change(id, chunks('700ms'));
    await hold.waiting(1);
    const later = own.change(id, chunks('800ms'));
    await hold.waiting(2);
    hold.pass(1);
    expect((await later).json.failures).toEqual([]);
    hold.pass(0);
    await hold.waiting(1);
    node.refuses = 'DELETE';
    hold.open();

    expect((await earlier).json.failures).toMatchObject([{ code: 'NODE_REFUSED' }]);
    const before = countOf(node, 'GET');
    await until('what the first of two looks found to be recorded', async () => countOf(node, 'GET') >= before + 2);
    expect(await own.statusOf(id)).toEqual(['failed']);
  });
});
