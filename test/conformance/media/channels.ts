import { expect } from 'vitest';

import type { Json } from '../../support/json.ts';
import { open } from '../framework/open-route.ts';
import { fieldsOf } from '../framework/per-server.ts';
import { holds, type Rows } from '../framework/row.ts';
import type { Answer, Server } from '../framework/server.ts';
import { isCount, text } from '../framework/shapes.ts';
import { channel, channelOn, createChannel, registered, type Node } from './node.ts';
import { at, token } from './studio.ts';

const inEach =
  (check: (origin: Json) => void) =>
  ({ read }: { read: Json }) => {
    expect(read.origins).toHaveLength(2);
    for (const origin of read.origins) check(origin);
  };

/** The requests about its stream that a node has received. */
const orderTo = ({ requests }: Node): Json => {
  const order = requests.find(({ method, path }) => method === 'POST' && path.startsWith('/api/streams/'));
  return { path: order?.path, body: JSON.parse(order?.body ?? 'null') };
};

/** "Channel and origin". */
export const channelFields: Rows = fieldsOf(channel, {
  'media-channel-id': ({ read }) => expect([read.id, isCount(read.id)]).toEqual([expect.any(Number), true]),
  'media-channel-sid': ({ read }) => expect([read.sid, isCount(read.sid)]).toEqual([expect.any(Number), true]),
  'media-channel-name': ({ read, sent }) => expect(read.name).toBe(sent.name),
  'media-channel-quality': async ({ read }, server) => {
    expect(read.quality).toBe('1080p');
    for (const quality of [undefined, null, ' ']) {
      const { status, json } = await createChannel(server, channelOn([await registered(server)], { quality }));
      expect([quality, status, json.data?.quality]).toEqual([quality, 201, '']); // a string, whatever was sent
    }
  },
  'media-channel-source-type': async ({ read }, server) => {
    expect(read.sourceType).toBe('udp_multicast');
    const node = await registered(server);
    const loop = channelOn([node], { sourceType: 'pl:///', ingestConfig: { url: 'pl:///lobby.smil' } });
    expect((await createChannel(server, loop)).json.data.sourceType).toBe('pl:///');
  },
  'media-channel-ingest-config': ({ read, sent }) => expect(read.ingestConfig).toEqual(sent.ingestConfig),
  'media-channel-transcode-config': ({ read }) => expect(read.transcodeConfig).toEqual({ preset: 'hd' }),

  'media-origin-id': inEach(({ id }) => expect([id, isCount(id)]).toEqual([expect.any(Number), true])),
  'media-origin-channel-id': ({ read }) =>
    expect(read.origins.map(({ channelId }: Json) => channelId)).toEqual([read.id, read.id]),
  'media-origin-streamer-id': ({ read, nodes }) =>
    expect(read.origins.map(({ streamerId }: Json) => streamerId)).toEqual(nodes.map(({ id }) => id)),
  'media-origin-ingest-url': ({ read, sent }) =>
    expect(read.origins.map(({ ingestUrl }: Json) => ingestUrl)).toEqual(
      sent.origins.map(({ ingestUrl }) => ingestUrl),
    ),
  'media-origin-stream-id': ({ read }) => {
    const [one, other] = read.origins;
    expect([one.streamId, other.streamId]).toEqual([expect.stringMatching(/\.stream$/), one.streamId]);
  },
  'media-origin-playback-url': ({ read }) => {
    const urls = read.origins.map(({ playbackUrl }: Json) => playbackUrl as string);
    expect(new Set(urls).size).toBe(2);
    for (const url of urls) expect(URL.canParse(url)).toBe(true);
  },
  'media-origin-status': inEach(({ status }) => expect(status).toEqual(text)),

  'media-channel-ingest-udp-multicast': async ({ nodes, sent }, server) => {
    const blank = { chunkDuration: '', fragmentDuration: null, netTimeout: ' ', forceClean: null };
    const empty = await createChannel(server, channelOn([await registered(server)], { ingestConfig: blank }));
    expect([empty.status, empty.json.data?.ingestConfig]).toEqual([201, {}]);
    const wrong = await createChannel(server, channelOn([nodes[0]!], { ingestConfig: { netTimeout: 'soon' } }));
    expect(wrong.status).toBe(400);
    for (const [index, node] of nodes.entries())
      expect(orderTo(node).body).toMatchObject({ ...sent.ingestConfig, url: sent.origins[index]?.ingestUrl });
  },
  'media-channel-ingest-pl-loop': async (_channel, server) => {
    const node = await registered(server);
    const ingestConfig = { url: 'pl:///lobby.smil' };
    const { status } = await createChannel(server, channelOn([node], { sourceType: 'pl:///', ingestConfig }));
    expect([status, orderTo(node).body.url]).toEqual([201, 'pl:///lobby.smil']);
    for (const ingestUrl of [undefined, null, '']) {
      const { id } = await registered(server);
      const origins = [{ streamerId: id, ingestUrl }];
      const { json } = await createChannel(
        server,
        channelOn([{ id }], { sourceType: 'playlist', ingestConfig, origins }),
      );
      expect([json.data.sourceType, json.data.origins[0].ingestUrl]).toEqual(['playlist', '']);
    }
  },
});

/** Two channels: one on a node that answers requests for a stream with this status, one on a node that starts it. */
async function onTwo(server: Server, orders: number): Promise<Answer & { ids: number[] }> {
  const [good, other] = [await registered(server), await registered(server)];
  other.orders = orders;
  return { ...(await createChannel(server, channelOn([good, other]))), ids: [good.id, other.id] };
}

const statuses = ({ json }: Answer) => json.data.origins.map(({ status }: Json) => status as string);

const someFail = async (server: Server) => {
  const answer = await onTwo(server, 503);
  expect([answer.status, answer.json.success, answer.json.failures.length]).toEqual([201, true, 1]);
  expect(answer.json.failures).toEqual([{ streamerId: answer.ids[1], code: text, message: text }]);
  expect(statuses(answer)).toEqual(['active', expect.not.stringMatching('active')]);
  expect((await at(server, 'GET', `/channels/${answer.json.data.id}`)).status).toBe(200);
};

const allFail = async (server: Server) => {
  const node = await registered(server);
  node.orders = 503;
  const name = `Rolled back ${node.id}`;
  const { status, json } = await createChannel(server, channelOn([node], { name }));
  expect([status, json.success]).toEqual([502, false]);
  expect(json.failures).toEqual([{ streamerId: node.id, code: text, message: text }]); // as in a 201
  const list = await at(server, 'GET', '/channels?limit=100');
  expect(list.json.data.map((found: Json) => found.name)).not.toContain(name);
};

/** "Channels (prefix /channels)", and the table of "Errors". */
export const channelRoutes: Rows = {
  'media-channel-routes-post-channels': open(
    async (server, headers) => createChannel(server, channelOn([await registered(server)]), headers),
    ({ status }) => expect(status).toBe(201),
    token,
  ),

  'media-channel-routes-post-channels-answer': holds(async (server) => {
    const { created } = await channel(server);
    expect([created.status, created.json]).toEqual([201, { success: true, data: expect.any(Object), failures: [] }]);
  }),

  'media-channel-routes-1-validate': holds(async (server) => {
    const node = await registered(server);
    for (const wrong of [
      { name: '' },
      { sourceType: 'tape' },
      { origins: [] },
      { origins: [{ ingestUrl: 'udp://x' }] },
    ]) {
      const { status, json } = await createChannel(server, channelOn([node], wrong));
      expect([wrong, status, json.success]).toEqual([wrong, 400, false]);
    }
    expect(node.requests).toEqual([]);
  }),

  'media-channel-routes-2-stream-id': holds(async (server) => {
    const [one, other] = [await registered(server), await registered(server)];
    const name = `Berita  Pagi ${one.id} HD`;
    const { json } = await createChannel(server, channelOn([one, other], { name }));
    const streamId = `berita_pagi_${one.id}_hd.stream`;
    expect(json.data.origins.map((origin: Json) => origin.streamId)).toEqual([streamId, streamId]);
  }),

  'media-channel-routes-3-save': holds(async (server) => {
    const { created, read } = await channel(server);
    expect(read).toEqual(expect.objectContaining({ id: created.json.data.id, name: created.json.data.name }));
  }),

  'media-channel-routes-4-origins': holds(async (server) => {
    const { nodes, read, sent } = await channel(server);
    for (const [index, node] of nodes.entries()) {
      const { streamId, playbackUrl } = read.origins[index];
      expect(playbackUrl).toContain(streamId);
      expect(orderTo(node)).toEqual({
        path: `/api/streams/${streamId}`,
        body: { ...sent.ingestConfig, ...sent.transcodeConfig, url: sent.origins[index]?.ingestUrl },
      });
    }
  }),

  'media-channel-routes-4-answers': holds(async (server) => {
    for (const orders of [200, 201, 500]) {
      const answer = await onTwo(server, orders);
      expect([orders, answer.status, answer.json.failures, statuses(answer)]).toEqual([
        orders,
        201,
        [],
        ['active', 'active'],
      ]);
    }
  }),

  'media-channel-routes-5-some-fail': holds(someFail),
  'media-channel-routes-5-all-fail': holds(allFail),
  'media-errors-502': holds(allFail),
  'media-errors-201-with-failures': holds(someFail),
};
