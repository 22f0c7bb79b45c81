import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { asset, ended, mediaOf, profileId } from '../support/fixtures/media.ts';
import { graphql, logIn } from '../support/fixtures/people.ts';
import { uploading } from '../support/fixtures/uploads.ts';
import { afterTheSweep, lacking, nothing, openSurvival, type Survival } from '../support/servers/survival.ts';
import { until } from '../support/until.ts';

let own: Survival;
let headers: { authorization: string };

beforeAll(async () => {
  own = await openSurvival();
  ({ headers } = await logIn(own.server, 'orgadmin@acme.test', 'ACME'));
});
afterAll(() => own?.close());

/** Uploads a film with a ladder into the workspace of the editor. */
async function aFilm(): Promise<number> {
  const { size } = await stat(own.film);
  const { data } = await graphql(
    own.server,
    'mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }',
    {
      input: {
        workspaceId: demo.acme.workspaceId,
        title: 'Film',
        mediaType: 'video',
        mimeType: 'video/mp4',
        fileSize: size,
        originalName: 'film.mp4',
        fileName: 'film.mp4',
        tenant: 'acme',
        folder: 'moves-0',
        visibility: 'PUBLIC',
        transcodingProfileId: String(await profileId(own.server, 'Compact')),
      },
    },
    headers,
  );
  await uploading(own.server, own.film, { size, uploadToken: data.prepareUpload.uploadToken }).done;
  const id = await own.idOf('moves-0');
  await ended(own.server, id);
  return id;
}

describe('kill -9 of the service while a film moves to another folder', () => {
  it('loses nothing: all its files arrive, old links stay valid, and nothing else is left', async () => {
    const id = await aFilm();
    const first = await mediaOf(own.server, id);
    for (const [move, least] of [0, 1, 4, 12].entries()) {
      const folder = `moves-${move + 1}`;
      const place = join(own.server.dataDir, `media/media/acme/${folder}`);
      const { errors } = await graphql(
        own.server,
        'mutation ($id: ID!, $input: UpdateMediaInput!) { updateMedia(id: $id, input: $input) { folder } }',
        { id: String(id), input: { folder } },
        headers,
      );
      expect(errors).toBeUndefined();
      const arrived = async () => (await readdir(place, { recursive: true }).catch(() => [])).length >= least;
      await until(`${least} of its files and folders in ${folder}`, arrived, { everyMs: 1 });
      await own.server.kill();
      own.server = await own.server.restart();

      expect(await lacking(own.server, id)).toEqual([]);
      expect((await mediaOf(own.server, id)).storageKey).toBe(`acme/${folder}/${id}/source/film.mp4`);
      for (const key of [first.storageKey, first.manifestKey, first.smilKey])
        expect((await asset(own.server, key)).status).toBe(200);
      expect(await afterTheSweep(own.server)).toEqual(nothing);
    }
  });
});
