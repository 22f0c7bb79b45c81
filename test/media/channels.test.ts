import type { RequestListener } from 'node:http';

import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeServer, startServer, type HostedServer } from '../support/servers/hosted-server.ts';
import type { Json } from '../support/json.ts';
import { createOrganization } from '../support/fixtures/organization.ts';
import { graphql, send, logIn } from '../support/fixtures/people.ts';
import { startStreamerNode, type StreamerNode } from '../support/servers/streamer-node.ts';
import { until } from '../support/until.ts';

let server: HostedServer;
const nodes: StreamerNode[] = [];

async function aNode(name: string): Promise<StreamerNode> {
  const node = await startStreamerNode(server, name);
  nodes.push(node);
  return node;
}
/** The requests to a node about streams: without the health checks, which come all the time. */
const orders = ({ requests }: StreamerNode) => requests.filter(({ path }) => path !== '/api/ping');

beforeAll(async () => {
  // Polls nodes and origins more often than in production.
  server = await startServer({ LOGIN_FLOOR_MS: '50', NODE_POLL_MS: '300', ORIGIN_POLL_MS: '300' });
});
afterAll(async () => {
  await closeServer(server);
  nodes.forEach((node) => node.stop());
});

const multicast = (name: string, ...on: { id: number }[]) => ({
  name,
  sourceType: 'UDP multicast',
  ingestConfig: { chunkDuration: '500ms', fragmentDuration: '2000ms', netTimeout: '3000ms', forceClean: true },
  transcodeConfig: { preset: 'hd' },
  origins: on.map(({ id }, at) => ({ streamerId: id, ingestUrl: `udp://239.0.0.${at + 1}:5000` })),
});
const create = (body: object) => send(server, 'POST', '/channels', { body });
const channel = async (id: number): Promise<Json> => (await send(server, 'GET', `/channels/${id}`)).json.data;
const statusOf = async (id: number): Promise<string[]> =>
  (await channel(id)).origins.map(({ status }: Json) => status as string);

/** Holds back the requests of one method at a node, as if they took long. */
function holdAt(node: StreamerNode, method: string) {
  const [answer] = node.server.listeners('request') as RequestListener[];
  const held: (() => void)[] = [];
  let isOpen = false;
  node.server.removeAllListeners('request').on('request', (request, response) => {
    if (request.method === method && !isOpen) held.push(() => answer?.(request, response));
    else answer?.(request, response);
  });
  return {
    /** Waits until so many requests are held back. */
    waiting: (count: number) => until(`${count} ${method} to wait`, async () => held.length === count),
    /** Lets one of them arrive. */
    pass: (at: number) => held.splice(at, 1)[0]?.(),
    /** Lets all arrive, those that come later too. */
    open() {
      isOpen = true;
      held.splice(0).forEach((arrive) => arrive());
    },
  };
}
const countOf = (node: StreamerNode, method: string) => orders(node).filter((order) => order.method === method).length;
/** What a node took its stream with: of several orders the first after the last end. */
function runningAt(node: StreamerNode): Json {
  const since = orders(node).slice(orders(node).findLastIndex(({ method }) => method === 'DELETE') + 1);
  return JSON.parse(since.find(({ method }) => method === 'POST')?.body ?? '{}');
}
const change = (id: number, body: object) => send(server, 'PUT', `/channels/${id}`, { body });
const chunks = (chunkDuration: string) => ({ ingestConfig: { chunkDuration } });

describe('creating a channel', () => {
  it('orders one stream from every origin, each with its own source, and returns the playback URLs', async () => {
    const [one, other] = [await aNode('one'), await aNode('other')];
    const { status, json } = await create(multicast('Morning News', one, other));

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
    expect(orders(one)[0]).toMatchObject({ method: 'POST', path: '/api/streams/morning_news.stream' });
    expect(JSON.parse(orders(one)[0]?.body ?? '')).toEqual({
      preset: 'hd',
      chunkDuration: '500ms',
      fragmentDuration: '2000ms',
      netTimeout: '3000ms',
      forceClean: true,
      url: 'udp://239.0.0.1:5000',
    });
    expect(JSON.parse(orders(other)[0]?.body ?? '').url).toBe('udp://239.0.0.2:5000');
  });

  it('of a loop takes the url of the configuration, and ignores those of the origins', async () => {
    const node = await aNode('loop');
    const body = { ...multicast('Loop', node), sourceType: 'pl:///', ingestConfig: { url: 'pl:///lobby.smil' } };
    expect((await create(body)).status).toBe(201);
    expect(JSON.parse(orders(node)[0]?.body ?? '').url).toBe('pl:///lobby.smil');
  });

  it.each([
    ['udp_multicast', 'rtp://239.0.0.7:5004'],
    ['multicast', 'srt://127.0.0.1:9000?mode=caller'],
    ['playlist', undefined],
  ])('keeps the client’s word %s for the kind of source, and forwards its address', async (sourceType, ingestUrl) => {
    const node = await aNode(sourceType);
    const { status, json } = await create({
      name: `Called ${sourceType}`,
      sourceType,
      ingestConfig: ingestUrl ? {} : { url: 'pl:///lobby.smil' },
      transcodeConfig: {},
      origins: [{ streamerId: node.id, ...(ingestUrl && { ingestUrl }) }],
    });
    expect([status, json.failures, json.data.sourceType]).toEqual([201, [], sourceType]);
    expect(JSON.parse(orders(node)[0]?.body ?? '').url).toBe(ingestUrl ?? 'pl:///lobby.smil');
    const { sourceType: later, origins } = await channel(json.data.id);
    expect([later, origins[0].ingestUrl]).toEqual([sourceType, ingestUrl ?? '']);
    const listed = (await send(server, 'GET', '/channels?limit=100')).json.data;
    expect(listed.find(({ id }: Json) => id === json.data.id).sourceType).toBe(sourceType);
  });

  it.each([
    ['too long', `udp ${'x'.repeat(47)}`],
    ['no kind of source', 'tape'],
    ['two lines', 'udp\nmulticast'],
  ])('refuses a kind of source that is %s, in GraphQL too', async (_what, sourceType) => {
    const node = await aNode('not called');
    const input = { ...multicast('Refused', node), sourceType };
    const { headers } = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const document = 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { channel { id } } }';
    const { errors } = await graphql(
      server,
      document,
      { input: { ...input, workspaceId: demo.acme.workspaceId } },
      headers,
    );
    expect(errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'VALIDATION_FAILED',
      errors: [{ path: expect.stringMatching(/sourceType$/), message: expect.any(String) }],
    });
    const { status, json } = await create(input);
    expect([status, json.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(node.requests).toEqual([]);
  });

  it('treats a 500 of a streamer as "it has the stream already"', async () => {
    const node = await aNode('has it');
    node.streams.add('known.stream');
    const { status, json } = await create(multicast('Known', node));

    expect([status, json.failures, json.data.origins[0].status]).toEqual([201, [], 'active']);
  });

  it('succeeds although an origin failed, and names it with the reason', async () => {
    const [good, bad] = [await aNode('good'), await aNode('bad')];
    bad.answer = 503;
    const { status, json } = await create(multicast('Half', good, bad, { id: 999_999 }));

    expect(status).toBe(201);
    expect(json.failures).toEqual([
      { streamerId: 999_999, code: 'NODE_NOT_FOUND', message: expect.any(String) },
      { streamerId: bad.id, code: 'NODE_REFUSED', message: expect.any(String) },
    ]);
    expect(json.data.origins.map(({ status: is }: Json) => is)).toEqual(['active', 'failed']);
  });

  it('is rolled back, and answered with 502, when all origins fail', async () => {
    const [bad, away] = [await aNode('refuses'), await aNode('away')];
    bad.answer = 400;
    away.stop();
    const name = `None ${process.pid}`;
    const { status, json } = await create(multicast(name, bad, away));

    expect([status, json.success, json.code]).toEqual([502, false, 'ALL_ORIGINS_FAILED']);
    const named = (await send(server, 'GET', '/channels?limit=100')).json.data.map(({ name: each }: Json) => each);
    expect(named).not.toContain(name);
  });

  it('of the name of another shares its stream where both are, and says so', async () => {
    const [both, own] = [await aNode('both'), await aNode('its own')];
    await create(multicast('Twice', both));
    const { status, json } = await create(multicast('Twice', both, own));

    expect([status, json.data.origins.map(({ status: is }: Json) => is)]).toEqual([201, ['active', 'active']]);
    expect(json.failures).toEqual([{ streamerId: both.id, code: 'STREAM_SHARED', message: expect.any(String) }]);
    expect((await create(multicast('Twice', both))).status).toBe(201);
  });

  it('leaves no stream behind when it is deleted before its streamer has the stream', async () => {
    const node = await aNode('slow to take it');
    const hold = holdAt(node, 'POST');
    const created = create(multicast('Deleted early', node));
    await hold.waiting(1);
    const listed = (await send(server, 'GET', '/channels?limit=100')).json.data;
    const { id } = listed.find(({ name }: Json) => name === 'Deleted early');
    await send(server, 'DELETE', `/channels/${id}`);
    await until('the deletion and its job to have ended it', async () => countOf(node, 'DELETE') === 2);

    hold.open();
    expect((await created).status).toBe(404);
    await until('the stream to end', async () => countOf(node, 'DELETE') > 2 && node.streams.size === 0);
  });

  it('names no streamer and no channel by a number that nobody gave', async () => {
    const { headers } = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const document = 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { channel { id } } }';
    const ids = ['nonsense', '1e3', '999999'];
    const origins = ids.map((streamerId) => ({ streamerId, ingestUrl: 'udp://239.0.0.1:5000' }));
    const input = { name: 'Nowhere', sourceType: 'udp', origins, workspaceId: demo.acme.workspaceId };
    const { errors } = await graphql(server, document, { input }, headers);
    const { reason, failures } = errors[0].extensions;
    expect([reason, failures.map(({ streamerId }: Json) => streamerId)]).toEqual([
      'ALL_ORIGINS_FAILED',
      [undefined, undefined, 999_999],
    ]);
    for (const [at, id] of ids.entries()) {
      const found = await graphql(server, `{ channel(id: "${id}") { name } }`, {}, headers);
      const { reason: why, id: named } = found.errors[0].extensions;
      expect([why, named]).toEqual(['CHANNEL_NOT_FOUND', [undefined, undefined, 999_999][at]]);
    }
  });

  it('with invalid fields is refused before any streamer is called', async () => {
    const node = await aNode('never called');
    for (const wrong of [
      { name: '!' },
      { sourceType: 'rtmp' },
      { origins: [] },
      { origins: [{ streamerId: node.id, ingestUrl: 'http://169.254.169.254/' }] },
      { ingestConfig: { netTimeout: 'soon' } },
    ]) {
      expect((await create({ ...multicast('Wrong', node), ...wrong })).status).toBe(400);
    }
    expect(orders(node)).toEqual([]);
  });
});

describe('an existing channel', () => {
  it('is listed, changed with its streams, and removed from its nodes when it is deleted', async () => {
    const [first, second] = [await aNode('first'), await aNode('second')];
    const { id } = (await create(multicast('Sport', first))).json.data;
    const list = (await send(server, 'GET', '/channels?limit=100')).json.data;
    expect(list.map((found: Json) => found.id)).toContain(id);

    const { origins } = multicast('Sport', second);
    const changed = await send(server, 'PUT', `/channels/${id}`, { body: { name: 'Sport 2', origins } });
    expect(changed.json).toMatchObject({
      failures: [],
      data: { name: 'Sport 2', origins: [{ streamId: 'sport.stream' }] },
    });
    await until('the first to be rid of it', async () => first.streams.size === 0);
    expect([...second.streams]).toEqual(['sport.stream']);

    expect((await send(server, 'DELETE', `/channels/${id}`)).status).toBe(200);
    expect((await send(server, 'GET', `/channels/${id}`)).status).toBe(404);
    await until('the second to be rid of it', async () => second.streams.size === 0);
  });

  it('shows by polling which origins lost the stream, came back, or can not be reached', async () => {
    const [loses, goes] = [await aNode('loses it'), await aNode('goes away')];
    const { id } = (await create(multicast('Watched', loses, goes))).json.data;
    expect(await statusOf(id)).toEqual(['active', 'active']);

    loses.streams.clear();
    goes.stop();
    await until('both to be noticed', async () => (await statusOf(id)).join() === 'failed,unreachable');

    loses.streams.add('watched.stream');
    await until('it to be back', async () => (await statusOf(id)).join() === 'active,unreachable');
  });

  it('whose change a streamer did not take is not active again by polling, and the next update tries it again', async () => {
    const node = await aNode('keeps the old one');
    const { id } = (await create(multicast('Old', node))).json.data;
    const change = () => send(server, 'PUT', `/channels/${id}`, { body: { ingestConfig: { chunkDuration: '900ms' } } });
    node.refuses = 'DELETE';
    expect((await change()).json.failures).toMatchObject([{ code: 'NODE_REFUSED' }]);
    const looks = () => orders(node).filter(({ method }) => method === 'GET').length;
    const before = looks();
    await until('what the first of two looks found to be recorded', async () => looks() >= before + 2);
    expect(await statusOf(id)).toEqual(['failed']);

    node.refuses = undefined;
    expect((await change()).json.failures).toEqual([]);

    expect(JSON.parse(orders(node).findLast(({ method }) => method === 'POST')?.body ?? '')).toMatchObject({
      chunkDuration: '900ms',
    });
    expect(await statusOf(id)).toEqual(['active']);
  });

  it('keeps its origins and streams when a change names only unknown streamers', async () => {
    const node = await aNode('stays');
    const { id } = (await create(multicast('Stays', node))).json.data;
    const body = multicast('Renamed', { id: 999_999 });
    const { status, json } = await change(id, body);

    expect([status, json.code]).toEqual([502, 'ALL_ORIGINS_FAILED']);
    const { name, origins } = await channel(id);
    expect([name, origins.map(({ status: is }: Json) => is)]).toEqual(['Stays', ['active']]);
    expect([...node.streams]).toEqual(['stays.stream']);
  });

  it('leaves no stream behind when it is deleted while a change is on its way', async () => {
    const node = await aNode('slow to change');
    const { id } = (await create(multicast('Deleted', node))).json.data;
    const hold = holdAt(node, 'POST');
    const changed = change(id, chunks('900ms'));
    await hold.waiting(1);
    await send(server, 'DELETE', `/channels/${id}`);
    await until('change, deletion and its job to have ended it', async () => countOf(node, 'DELETE') === 3);

    hold.open();
    expect((await changed).status).toBe(404);
    await until('the stream to end', async () => countOf(node, 'DELETE') > 3 && node.streams.size === 0);
  });

  it.each([
    ['before that of the later', 'POST', 0],
    ['after that of the later', 'DELETE', 1],
  ])(
    'runs as the later of two changes says, also when the order of the earlier arrives %s',
    async (when, method, at) => {
      const node = await aNode(when);
      const { id } = (await create(multicast(`Changed ${when}`, node))).json.data;
      const hold = holdAt(node, method);
      const earlier = change(id, chunks('700ms'));
      await hold.waiting(1);
      const later = change(id, chunks('800ms'));
      await hold.waiting(2);
      hold.pass(at);
      await until('the first of both orders to arrive', async () => countOf(node, 'POST') === 2);

      hold.open();
      expect([(await earlier).json.failures, (await later).json.failures]).toEqual([[], []]);
      expect(runningAt(node)).toMatchObject({ chunkDuration: '800ms', url: 'udp://239.0.0.1:5000' });
      expect(await statusOf(id)).toEqual(['active']);
    },
  );

  it('is not active by polling where an earlier change arrived last and the later one was refused then', async () => {
    const node = await aNode('refuses to correct it');
    const { id } = (await create(multicast('Not corrected', node))).json.data;
    const hold = holdAt(node, 'DELETE');
    const earlier = change(id, chunks('700ms'));
    await hold.waiting(1);
    const later = change(id, chunks('800ms'));
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
    expect(await statusOf(id)).toEqual(['failed']);
  });

  it('keeps a streamer in the registry while channels run on it', async () => {
    const node = await aNode('in use');
    const { id } = (await create(multicast('Uses it', node))).json.data;

    expect((await send(server, 'DELETE', `/streamers/${node.id}`)).json).toMatchObject({ code: 'STREAMER_IN_USE' });
    await send(server, 'DELETE', `/channels/${id}`);
    expect((await send(server, 'DELETE', `/streamers/${node.id}`)).status).toBe(200);
  });

  it('is not visible to another organization', async () => {
    const node = await aNode('private');
    const { headers } = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const path = `/channels?workspaceId=${demo.acme.workspaceId}`;
    const made = await send(server, 'POST', path, { headers, body: multicast('Private', node) });
    expect(made.status).toBe(201);

    const stranger = (await createOrganization(server)).admin;
    const { id } = made.json.data;
    expect((await send(server, 'GET', `/channels/${id}`, { headers })).status).toBe(200);
    // The documents leave the REST routes open to everybody.
    const seen = await graphql(server, `{ channel(id: "${id}") { name } }`, {}, stranger.headers);
    const deleted = await graphql(server, `mutation { deleteChannel(id: "${id}") }`, {}, stranger.headers);
    for (const { errors } of [seen, deleted]) expect(errors[0].extensions.reason).toBe('CHANNEL_NOT_FOUND');
    expect((await send(server, 'GET', path.replace('?', `/${id}?`), stranger)).status).toBe(404);
  });
});
