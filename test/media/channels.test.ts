import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { multicast, openChannels, ordersTo, type ChannelsFixture } from '../support/fixtures/channels.ts';
import type { Json } from '../support/json.ts';
import { createOrganization } from '../support/fixtures/organization.ts';
import { graphql, send, logIn } from '../support/fixtures/people.ts';
import type { StreamerNode } from '../support/servers/streamer-node.ts';
import { until } from '../support/until.ts';

let own: ChannelsFixture;

beforeAll(async () => {
  own = await openChannels();
});
afterAll(() => own?.close());

/** What a node was last ordered to stream. */
const lastOrderTo = (node: StreamerNode): Json =>
  JSON.parse(ordersTo(node).findLast(({ method }) => method === 'POST')?.body ?? '{}');

describe('creating a channel', () => {
  it('orders one stream from every origin, each with its own source, and returns the playback URLs', async () => {
    const [one, other] = [await own.aNode('one'), await own.aNode('other')];
    const { status, json } = await own.create(multicast('Morning News', one, other));

    expect(status).toBe(201);
    expect(json).toMatchObject({
      success: true,
      failures: [],
      data: { name: 'Morning News', sourceType: 'UDP multicast' },
    });
    expect(json.data.origins.map(({ streamId, status: is }: Json) => [streamId, is])).toEqual([
      ['morning_news.stream', 'active'],
      ['morning_news.stream', 'active'],
    ]);
    expect(new Set(json.data.origins.map(({ playbackUrl }: Json) => playbackUrl)).size).toBe(2);
    expect(ordersTo(one)[0]).toMatchObject({ method: 'POST', path: '/api/streams/morning_news.stream' });
    expect(JSON.parse(ordersTo(one)[0]?.body ?? '')).toEqual({
      preset: 'hd',
      chunkDuration: '500ms',
      fragmentDuration: '2000ms',
      netTimeout: '3000ms',
      forceClean: true,
      url: 'udp://239.0.0.1:5000',
    });
    expect(JSON.parse(ordersTo(other)[0]?.body ?? '').url).toBe('udp://239.0.0.2:5000');
  });

  it('of a loop takes the url of the configuration, and ignores those of the origins', async () => {
    const node = await own.aNode('loop');
    const body = { ...multicast('Loop', node), sourceType: 'pl:///', ingestConfig: { url: 'pl:///lobby.smil' } };
    expect((await own.create(body)).status).toBe(201);
    expect(JSON.parse(ordersTo(node)[0]?.body ?? '').url).toBe('pl:///lobby.smil');
  });

  it.each([
    ['udp_multicast', 'rtp://239.0.0.7:5004'],
    ['multicast', 'srt://127.0.0.1:9000?mode=caller'],
    ['playlist', undefined],
  ])('keeps the client’s word %s for the kind of source, and forwards its address', async (sourceType, ingestUrl) => {
    const node = await own.aNode(sourceType);
    const { status, json } = await own.create({
      name: `Called ${sourceType}`,
      sourceType,
      ingestConfig: ingestUrl ? {} : { url: 'pl:///lobby.smil' },
      transcodeConfig: {},
      origins: [{ streamerId: node.id, ...(ingestUrl && { ingestUrl }) }],
    });
    expect([status, json.failures, json.data.sourceType]).toEqual([201, [], sourceType]);
    expect(JSON.parse(ordersTo(node)[0]?.body ?? '').url).toBe(ingestUrl ?? 'pl:///lobby.smil');
    const { sourceType: later, origins } = await own.channel(json.data.id);
    expect([later, origins[0].ingestUrl]).toEqual([sourceType, ingestUrl ?? '']);
    const listed = (await send(own.server, 'GET', '/channels?limit=100')).json.data;
    expect(listed.find(({ id }: Json) => id === json.data.id).sourceType).toBe(sourceType);
  });

  it.each([
    ['too long', `udp ${'x'.repeat(47)}`],
    ['no kind of source', 'tape'],
    ['two lines', 'udp\nmulticast'],
  ])('refuses a kind of source that is %s, in GraphQL too', async (_what, sourceType) => {
    const node = await own.aNode('not called');
    const input = { ...multicast('Refused', node), sourceType };
    const { headers } = await logIn(own.server, 'orgadmin@acme.test', 'ACME');
    const document = 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { channel { id } } }';
    const { errors } = await graphql(
      own.server,
      document,
      { input: { ...input, workspaceId: demo.acme.workspaceId } },
      headers,
    );
    expect(errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'VALIDATION_FAILED',
      errors: [{ path: expect.stringMatching(/sourceType$/), message: expect.any(String) }],
    });
    const { status, json } = await own.create(input);
    expect([status, json.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(node.requests).toEqual([]);
  });

  it('treats a 500 of a streamer as "it has the stream already"', async () => {
    const node = await own.aNode('has it');
    node.streams.add('known.stream');
    const { status, json } = await own.create(multicast('Known', node));

    expect([status, json.failures, json.data.origins[0].status]).toEqual([201, [], 'active']);
  });

  it('succeeds although an origin failed, and names it with the reason', async () => {
    const [good, bad] = [await own.aNode('good'), await own.aNode('bad')];
    bad.answer = 503;
    const { status, json } = await own.create(multicast('Half', good, bad, { id: 999_999 }));

    expect(status).toBe(201);
    expect(json.failures).toEqual([
      { streamerId: 999_999, code: 'NODE_NOT_FOUND', message: expect.any(String) },
      { streamerId: bad.id, code: 'NODE_REFUSED', message: expect.any(String) },
    ]);
    expect(json.data.origins.map(({ status: is }: Json) => is)).toEqual(['active', 'failed']);
  });

  it('is rolled back, and answered with 502, when all origins fail', async () => {
    const [bad, away] = [await own.aNode('refuses'), await own.aNode('away')];
    bad.answer = 400;
    away.stop();
    const name = `None ${process.pid}`;
    const { status, json } = await own.create(multicast(name, bad, away));

    expect([status, json.success, json.code]).toEqual([502, false, 'ALL_ORIGINS_FAILED']);
    const named = (await send(own.server, 'GET', '/channels?limit=100')).json.data.map(({ name: each }: Json) => each);
    expect(named).not.toContain(name);
  });

  it('of the name of another shares its stream where both are, and says so', async () => {
    const [both, other] = [await own.aNode('both'), await own.aNode('its own')];
    await own.create(multicast('Twice', both));
    const { status, json } = await own.create(multicast('Twice', both, other));

    expect([status, json.data.origins.map(({ status: is }: Json) => is)]).toEqual([201, ['active', 'active']]);
    expect(json.failures).toEqual([{ streamerId: both.id, code: 'STREAM_SHARED', message: expect.any(String) }]);
    expect((await own.create(multicast('Twice', both))).status).toBe(201);
  });

  it('of the name of another organization’s gets no part of its stream, and can not keep it from changes', async () => {
    const [both, other] = [await own.aNode('of two organizations'), await own.aNode('of one')];
    const [acme, stranger] = [
      await logIn(own.server, 'orgadmin@acme.test', 'ACME'),
      await createOrganization(own.server),
    ];
    const path = (workspaceId: string) => `/channels?workspaceId=${workspaceId}`;
    const news = { headers: acme.headers, body: multicast('Evening News', both) };
    const { id } = (await send(own.server, 'POST', path(demo.acme.workspaceId), news)).json.data;

    const theirs = { headers: stranger.admin.headers, body: multicast('Evening News', both, other) };
    const made = await send(own.server, 'POST', path(stranger.workspaceId), theirs);
    expect(made.json.failures).toEqual([{ streamerId: both.id, code: 'STREAM_TAKEN', message: expect.any(String) }]);
    expect(made.json.data.origins.map(({ status }: Json) => status)).toEqual(['failed', 'active']);
    const alone = { ...theirs, body: multicast('Evening News', both) };
    expect((await send(own.server, 'POST', path(stranger.workspaceId), alone)).json.code).toBe('ALL_ORIGINS_FAILED');

    const ingestConfig = { chunkDuration: '900ms' };
    const changed = await send(own.server, 'PUT', `/channels/${id}`, { headers: acme.headers, body: { ingestConfig } });
    expect(changed.json.failures).toEqual([]);
    expect(lastOrderTo(both)).toMatchObject(ingestConfig);
    await send(own.server, 'PUT', `/channels/${made.json.data.id}`, {
      headers: stranger.admin.headers,
      body: { name: 'N' },
    });
    expect(lastOrderTo(both)).toMatchObject(ingestConfig);
    expect(ordersTo(both).filter(({ method }) => method === 'DELETE')).toHaveLength(1);

    const statuses = async () =>
      (
        await send(own.server, 'GET', `/channels/${made.json.data.id}`, { headers: stranger.admin.headers })
      ).json.data.origins.map(({ status }: Json) => status as string);
    const looks = ordersTo(other).filter(({ method }) => method === 'GET').length;
    await until('checks', async () => ordersTo(other).filter(({ method }) => method === 'GET').length >= looks + 3);
    expect(await statuses()).toEqual(['failed', 'active']);

    await send(own.server, 'DELETE', `/channels/${id}`, { headers: acme.headers });
    await until('it to have the name', async () => (await statuses()).join() === 'active,active');
    const since = ordersTo(both).slice(ordersTo(both).findIndex(({ method }) => method === 'DELETE') + 1);
    expect(since.map(({ method }) => method).filter((method) => method !== 'GET')).toContain('DELETE');
    expect(lastOrderTo(both)).toMatchObject({ chunkDuration: '500ms' });
    await send(own.server, 'DELETE', `/channels/${made.json.data.id}`, { headers: stranger.admin.headers });
    await until('its end', async () => both.streams.size + other.streams.size === 0);
  });

  it('names no streamer and no channel by a number that nobody gave', async () => {
    const { headers } = await logIn(own.server, 'orgadmin@acme.test', 'ACME');
    const document = 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { channel { id } } }';
    const ids = ['nonsense', '1e3', '999999'];
    const origins = ids.map((streamerId) => ({ streamerId, ingestUrl: 'udp://239.0.0.1:5000' }));
    const input = { name: 'Nowhere', sourceType: 'udp', origins, workspaceId: demo.acme.workspaceId };
    const { errors } = await graphql(own.server, document, { input }, headers);
    const { reason, failures } = errors[0].extensions;
    expect([reason, failures.map(({ streamerId }: Json) => streamerId)]).toEqual([
      'ALL_ORIGINS_FAILED',
      [undefined, undefined, 999_999],
    ]);
    for (const [at, id] of ids.entries()) {
      const found = await graphql(own.server, `{ channel(id: "${id}") { name } }`, {}, headers);
      const { reason: why, id: named } = found.errors[0].extensions;
      expect([why, named]).toEqual(['CHANNEL_NOT_FOUND', [undefined, undefined, 999_999][at]]);
    }
  });

  it('with invalid fields is refused before any streamer is called', async () => {
    const node = await own.aNode('never called');
    for (const wrong of [
      { name: '!' },
      { sourceType: 'rtmp' },
      { origins: [] },
      { origins: [{ streamerId: node.id, ingestUrl: 'http://169.254.169.254/' }] },
      { ingestConfig: { netTimeout: 'soon' } },
    ]) {
      expect((await own.create({ ...multicast('Wrong', node), ...wrong })).status).toBe(400);
    }
    expect(ordersTo(node)).toEqual([]);
  });
});

describe('an existing channel', () => {
  it('is listed, changed with its streams, and removed from its nodes when it is deleted', async () => {
    const [first, second] = [await own.aNode('first'), await own.aNode('second')];
    const { id } = (await own.create(multicast('Sport', first))).json.data;
    const list = (await send(own.server, 'GET', '/channels?limit=100')).json.data;
    expect(list.map((found: Json) => found.id)).toContain(id);

    const { origins } = multicast('Sport', second);
    const changed = await send(own.server, 'PUT', `/channels/${id}`, { body: { name: 'Sport 2', origins } });
    expect(changed.json).toMatchObject({
      failures: [],
      data: { name: 'Sport 2', origins: [{ streamId: 'sport.stream' }] },
    });
    await until('the first to be rid of it', async () => first.streams.size === 0);
    expect([...second.streams]).toEqual(['sport.stream']);

    expect((await send(own.server, 'DELETE', `/channels/${id}`)).status).toBe(200);
    expect((await send(own.server, 'GET', `/channels/${id}`)).status).toBe(404);
    await until('the second to be rid of it', async () => second.streams.size === 0);
  });

  it('keeps its origins and streams when a change names only unknown streamers', async () => {
    const node = await own.aNode('stays');
    const { id } = (await own.create(multicast('Stays', node))).json.data;
    const body = multicast('Renamed', { id: 999_999 });
    const { status, json } = await own.change(id, body);

    expect([status, json.code]).toEqual([502, 'ALL_ORIGINS_FAILED']);
    const { name, origins } = await own.channel(id);
    expect([name, origins.map(({ status: is }: Json) => is)]).toEqual(['Stays', ['active']]);
    expect([...node.streams]).toEqual(['stays.stream']);
  });

  it('keeps a streamer in the registry while channels run on it', async () => {
    const node = await own.aNode('in use');
    const { id } = (await own.create(multicast('Uses it', node))).json.data;

    expect((await send(own.server, 'DELETE', `/streamers/${node.id}`)).json).toMatchObject({ code: 'STREAMER_IN_USE' });
    await send(own.server, 'DELETE', `/channels/${id}`);
    expect((await send(own.server, 'DELETE', `/streamers/${node.id}`)).status).toBe(200);
  });

  it('is not visible to another organization', async () => {
    const node = await own.aNode('private');
    const { headers } = await logIn(own.server, 'orgadmin@acme.test', 'ACME');
    const path = `/channels?workspaceId=${demo.acme.workspaceId}`;
    const made = await send(own.server, 'POST', path, { headers, body: multicast('Private', node) });
    expect(made.status).toBe(201);

    const stranger = (await createOrganization(own.server)).admin;
    const { id } = made.json.data;
    expect((await send(own.server, 'GET', `/channels/${id}`, { headers })).status).toBe(200);
    // The documents leave the REST routes open to everybody.
    const seen = await graphql(own.server, `{ channel(id: "${id}") { name } }`, {}, stranger.headers);
    const deleted = await graphql(own.server, `mutation { deleteChannel(id: "${id}") }`, {}, stranger.headers);
    for (const { errors } of [seen, deleted]) expect(errors[0].extensions.reason).toBe('CHANNEL_NOT_FOUND');
    expect((await send(own.server, 'GET', path.replace('?', `/${id}?`), stranger)).status).toBe(404);
  });
});
