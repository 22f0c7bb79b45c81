import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lacks, why } from '@foyer/shared/testing/missing';
import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { openPlayer } from '../support/browsers/player.ts';
import { graphql, logIn, send } from '../support/fixtures/people.ts';
import { uploading } from '../support/fixtures/uploads.ts';
import { testVideo } from '../support/fixtures/video.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { until } from '../support/until.ts';

let server: SharedServer;
let folder: string;
let headers: { authorization: string };
let media: Json;

const skipped = why('chromium');
const fileName = `private-${Date.now()}.mp4`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-private-'));
  server = await sharedServer();
  ({ headers } = await logIn(server, 'orgadmin@acme.test', 'ACME'));
  media = await aPrivateFilm(await testVideo(folder, { size: '160x90' }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fields =
  'id transcodingStage storageKey manifestKey assetUrl manifestUrl thumbnailUrl shareUrl visibility linksExpireAt';

async function aPrivateFilm(file: string): Promise<Json> {
  const { size } = await stat(file);
  const profiles = await graphql(server, '{ transcodingProfiles { id renditions { height } } }', {}, headers);
  const ladder = profiles.data.transcodingProfiles.find(({ renditions }: Json) => renditions.length > 0);
  const names = { title: 'Private', originalName: fileName, fileName, tenant: 'acme', folder: 'private' };
  const input = { ...names, mediaType: 'video', mimeType: 'video/mp4', fileSize: size, visibility: 'PRIVATE' };
  const prepared = await graphql(
    server,
    'mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }',
    { input: { ...input, workspaceId: demo.acme.workspaceId, transcodingProfileId: ladder.id } },
    headers,
  );
  await uploading(server, file, { size, uploadToken: prepared.data.prepareUpload.uploadToken }).done;
  return until(
    'the film to be processed',
    async () => {
      const { data } = await graphql(
        server,
        `query ($text: String) { mediaList(filter: { text: $text }) { edges { node { ${fields} } } } }`,
        { text: fileName },
        headers,
      );
      const found = data.mediaList.edges[0]?.node;
      return found?.transcodingStage === 'done' && found;
    },
    { timeoutMs: 120_000 },
  );
}

describe('a private film', () => {
  it.skipIf(lacks('chromium'))(
    `plays in a browser by its link alone, without a header or a cookie${skipped}`,
    async () => {
      const player = await openPlayer(server);
      try {
        const playing = await player.play(media.manifestUrl);
        await until('the end', async () => (await playing.facts()).ended, { timeoutMs: 60_000 });
        const facts = await playing.facts();
        expect(facts.errors).toEqual([]);
        expect(facts.frames).toBeGreaterThan(0);
        await expect(player.play(`${server.url}/assets/media/${media.manifestKey}`)).rejects.toThrow('does not play');
      } finally {
        await player.close();
      }
    },
  );

  it('is closed to everybody without its link', async () => {
    for (const key of [media.storageKey, media.manifestKey])
      for (const path of [`/assets/media/${key}`, `/assets/${key}`, `/assets/media/${key}/presign`])
        expect([path, (await fetch(server.url + path)).status]).toEqual([path, 404]);
    expect((await fetch(`${server.url}/assets/media/${media.storageKey}`, { headers })).status).toBe(404);
    for (const link of [media.assetUrl, media.manifestUrl, media.thumbnailUrl])
      expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    expect([media.visibility, media.shareUrl]).toEqual(['PRIVATE', '']);
    expect(Date.parse(media.linksExpireAt)).toBeGreaterThan(Date.now());
  });

  it('does not exist at the open REST routes', async () => {
    expect((await send(server, 'GET', `/api/media/${media.id}`)).status).toBe(404);
    expect((await send(server, 'POST', `/api/media/${media.id}/process`)).status).toBe(404);
    expect((await send(server, 'DELETE', `/api/media/${media.id}`)).status).toBe(404);
    const { json } = await send(server, 'GET', '/api/media/?folder=private&limit=100');
    expect(json.data.filter(({ id }: Json) => String(id) === String(media.id))).toEqual([]);

    const own = await send(server, 'GET', `/api/media/${media.id}`, { headers });
    expect([own.status, (await fetch(own.json.data.assetUrl)).status]).toEqual([200, 200]);
  });

  it('leaves no link in the log', async () => {
    const token = new URL(media.assetUrl).pathname.split('/')[2] ?? '';
    expect(token).toMatch(/^~/);
    await fetch(media.assetUrl, { headers: { 'x-request-id': 'private-link' } });
    const ours = await until('the request in the log', async () =>
      (await server.printed()).split('\n').find((line) => line.includes('private-link')),
    );
    expect(ours).toContain('/assets/~[secret]/media/');
    expect(await server.printed()).not.toContain(token);
  });
});
