import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { demo } from '@foyer/shared/demo';
import { createClient, type Client } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import type { Json } from '../support/json.ts';
import { createOrganization } from '../support/fixtures/organization.ts';
import { graphql, send, logIn } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { startStreamerNode } from '../support/servers/streamer-node.ts';
import { until } from '../support/until.ts';
import { uploading } from '../support/fixtures/uploads.ts';
import { testVideo } from '../support/fixtures/video.ts';

let server: SharedServer;
let folder: string;
let client: Client;
let db: ReturnType<typeof openDatabase>;
let headers: { authorization: string };
const workspaceId = demo.acme.workspaceId;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-subscriptions-'));
  server = await sharedServer('first'); // which checks nodes only on request
  db = openDatabase(server.databaseUrl);
  ({ headers } = await logIn(server, 'orgadmin@acme.test', 'ACME'));
  client = connect(headers);
});
afterAll(async () => {
  await client.dispose();
  await db.$disconnect();
  await rm(folder, { recursive: true, force: true });
});

const connect = (connectionParams: Record<string, string>) =>
  createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams,
  });

/** Subscribes, and collects the events. */
function listen(query: string, variables: Record<string, unknown>, by = client) {
  const heard: Json[] = [];
  const errors: Json[] = [];
  const results = by.iterate<Json>({ query, variables });
  const over = (async () => {
    for await (const { data, errors: problems } of results) {
      if (problems) errors.push(...problems);
      else heard.push(data);
    }
  })();
  over.catch((error: unknown) => errors.push(error));
  return { heard, errors, over, leave: () => results.return?.() };
}

async function uploadAsEditor(seconds: number): Promise<string> {
  const file = await testVideo(folder, { seconds });
  const { size } = await stat(file);
  const input = { workspaceId, title: 'News', mediaType: 'video', mimeType: 'video/mp4', fileSize: size };
  const names = { originalName: 'news.mp4', fileName: `news-${seconds}.mp4`, tenant: 'acme', folder: 'news' };
  const prepared = await graphql(
    server,
    'mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }',
    { input: { ...input, ...names } },
    headers,
  );
  await uploading(server, file, { size, uploadToken: prepared.data.prepareUpload.uploadToken }).done;
  return names.fileName;
}

const progress = 'subscription ($id: ID!) { mediaProgress(mediaId: $id) { id status transcodingStage progress } }';
const library = `subscription ($workspaceId: ID!) {
  mediaChanged(workspaceId: $workspaceId) { mediaId media { fileName transcodingStage workspace { name } } }
}`;

describe('the library of a workspace, live', () => {
  it('reports a new media item, each of its stages, and its deletion', async () => {
    const { heard, leave } = listen(library, { workspaceId });
    const fileName = await uploadAsEditor(2);
    const stages = () =>
      heard
        .filter(({ mediaChanged: change }) => change?.media?.fileName === fileName)
        .map(({ mediaChanged }) => mediaChanged);
    await until('its end', async () => stages().some(({ media }) => media.transcodingStage === 'done'));
    const { mediaId, media } = stages().at(-1);
    expect(media.workspace.name).toEqual(expect.any(String));

    // As from another process: the database notifies of every change, whoever makes it.
    await db.media.delete({ where: { id: Number(mediaId) } });
    await until('the event of its end', async () =>
      heard.some(({ mediaChanged: change }) => change?.mediaId === mediaId && change.media === null),
    );
    await leave();
  });

  it('reports the progress of one media item at once, and then until its end', async () => {
    const changes = listen(library, { workspaceId });
    const fileName = await uploadAsEditor(3);
    const { mediaId } = await until('it to appear', async () =>
      changes.heard.map(({ mediaChanged }) => mediaChanged).find((change) => change?.media?.fileName === fileName),
    );
    const { heard, errors, over } = listen(progress, { id: mediaId });
    await over;
    await changes.leave();

    expect(errors).toEqual([]);
    const percents = heard.map(({ mediaProgress }) => mediaProgress.progress as number);
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
    expect(heard.at(-1).mediaProgress).toMatchObject({ transcodingStage: 'done', progress: 100, status: 'ready' });

    const again = listen(progress, { id: mediaId });
    await again.over;
    expect(again.heard).toHaveLength(1);
  });

  it('is refused to viewers who may not see it', async () => {
    const stranger = connect((await createOrganization(server)).admin.headers);
    const nobody = connect({});
    for (const by of [stranger, nobody]) {
      const { heard, errors } = listen(library, { workspaceId }, by);
      await until('the refusal', async () => errors.length > 0);
      expect(heard).toEqual([]);
      expect(errors[0].extensions.code).toMatch(/UNAUTHENTICATED|NOT_FOUND|FORBIDDEN/);
      await by.dispose();
    }
  });
});

describe('nodes and origins, live', () => {
  it('reports the status of every node at once, and its change by a ping', async () => {
    const query = `subscription ($workspaceId: ID) { nodeStatusChanged(workspaceId: $workspaceId) { kind id name status } }`;
    const { heard, leave } = listen(query, { workspaceId });
    const { json } = await send(server, 'POST', '/caches', {
      body: { name: 'Nobody there', host: '127.0.0.1', httpPort: 1, apiPort: 1 },
    });
    const told = () =>
      heard
        .flatMap(({ nodeStatusChanged }) => nodeStatusChanged ?? [])
        .filter(({ kind, id }) => kind === 'cache' && Number(id) === json.data.id)
        .map(({ status }) => status);
    await until('the new node', async () => told().length === 1);
    await send(server, 'POST', `/caches/${json.data.id}/ping`);
    await until('its status', async () => told().length === 2);
    await leave();

    expect(told()).toEqual(['unknown', 'offline']);
    expect(heard.some(({ nodeStatusChanged: { kind } }) => kind === 'streamer')).toBe(true);
  });

  it('reports by null that a node or an origin was removed', async () => {
    const body = { name: 'Soon gone', host: '127.0.0.1', httpPort: 1, apiPort: 1 };
    const cache = await send(server, 'POST', '/caches', { body });
    const streamers = [await startStreamerNode(server, 'Stays'), await startStreamerNode(server, 'Goes')];
    const [stays, goes] = streamers.map(({ id }) => ({ streamerId: id }));
    const channel = await send(server, 'POST', `/channels?workspaceId=${workspaceId}`, {
      headers,
      body: { name: 'Two', sourceType: 'pl', ingestConfig: { url: 'pl:///two.smil' }, origins: [stays, goes] },
    });
    const id = String(channel.json.data.id);
    const nodes = listen('subscription ($workspaceId: ID) { nodeStatusChanged(workspaceId: $workspaceId) { id } }', {
      workspaceId,
    });
    const origins = listen('subscription ($id: ID!) { originStatusChanged(channelId: $id) { id } }', { id });
    await until('both streams', async () => nodes.heard.length > 0 && origins.heard.length === 2);

    await send(server, 'DELETE', `/caches/${cache.json.data.id}`);
    await send(server, 'PUT', `/channels/${id}`, { headers, body: { name: 'Two', origins: [stays] } });

    const removals = (heard: Json[]) => heard.filter((event) => Object.values(event)[0] === null).length;
    await until('the removals', async () => removals(nodes.heard) > 0 && removals(origins.heard) > 0);
    expect(removals(origins.heard)).toBe(1);
    await nodes.leave();
    await origins.leave();
    for (const streamer of streamers) streamer.stop();
  });

  it('reports the status of the origins of a channel at once, and its change by polling', async () => {
    const streamer = await startStreamerNode(server, 'Streams news');
    const made = await send(server, 'POST', `/channels?workspaceId=${workspaceId}`, {
      headers,
      body: {
        name: 'News live',
        sourceType: 'pl',
        ingestConfig: { url: 'pl:///news.smil' },
        origins: [{ streamerId: streamer.id }],
      },
    });
    const query = 'subscription ($id: ID!) { originStatusChanged(channelId: $id) { id status failure } }';
    const { heard, leave } = listen(query, { id: String(made.json.data.id) });
    const statuses = () => heard.map(({ originStatusChanged: { status } }) => status as string);
    await until('its status', async () => heard.length === 1);
    streamer.refuses = 'POST'; // until it was heard that the stream is gone
    await send(server, 'DELETE', `/streamers/${streamer.id}/proxy/api/streams/news_live.stream`);
    await until('its end', async () => statuses().at(-1) === 'failed');
    streamer.refuses = undefined;
    await until('its return', async () => statuses().at(-1) === 'active');
    await leave();
    streamer.stop();

    expect(statuses().filter((status, at, all) => status !== all[at - 1])).toEqual(['active', 'failed', 'active']);
  });
});
