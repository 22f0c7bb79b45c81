import { readId } from '@foyer/shared/ids';
import { Refusal } from '@foyer/shared/errors';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';

import { openAccess } from '../assets/access.ts';
import { assetRoutes } from '../assets/routes.ts';
import type { UpdateMediaInput } from '../generated/graphql.ts';
import { auditStorage } from '../library/audit-storage.ts';
import { updateMedia } from '../library/update-media.ts';
import { memberOf, openSmallLibrary, type SmallLibrary } from './library-fixture.ts';

export const viewer = memberOf(1);

export type Changes = Omit<UpdateMediaInput, 'transcodingProfileId'> & { transcodingProfileId?: string };

/** The outcome of an audit that finds nothing wrong. */
export const nothing = { orphanCount: 0, missingCount: 0 };

export const reasonOf = (error: unknown) => (error instanceof Refusal ? error.reason : error);

/** A library for the tests of one store, whose items are updated, and read by their links. */
export function updatedLibrary(openStore: Parameters<typeof openSmallLibrary>[0]) {
  let library: SmallLibrary;
  /** The ids of profiles: two ladders, and none. */
  const profile = { ladder: '', other: '', passthrough: '' };
  const app = Fastify();
  beforeAll(async () => {
    library = await openSmallLibrary(openStore);
    await app.register(
      assetRoutes({
        ...library.needs,
        bucket: 'media',
        linkSecrets: ['secret'],
        presignSeconds: 300,
        accessOf: openAccess(library.db, { unownedIsPublic: true }),
        hiddenPrefix: 'uploads/',
        firstByteMs: null,
      }),
    );
    const profiles = await library.db.transcodingProfile.findMany({ include: { renditions: true } });
    const [first, second] = profiles.filter(({ renditions }) => renditions.length > 0).map(({ id }) => String(id));
    profile.ladder = first ?? '';
    profile.other = second ?? '';
    profile.passthrough = String(profiles.find(({ renditions }) => renditions.length === 0)?.id);
  });
  beforeEach(() => library.clear());
  afterAll(() => library.close());

  const rowOf = (id: number) => library.db.media.findUniqueOrThrow({ where: { id } });
  return {
    library: () => library,
    profile,
    rowOf,
    update: (id: number, { transcodingProfileId, ...input }: Changes) =>
      updateMedia(library.as(viewer), {
        id: String(id),
        input: { ...input, ...(transcodingProfileId && { transcodingProfileId: readId(transcodingProfileId) }) },
      }),
    read: async (key: string) => (await app.inject(`/assets/media/${encodeURI(key)}`)).body,
    keys: async () => [...(await library.everything()).keys()].toSorted(),
    async audited() {
      const { orphanCount, missingCount } = await auditStorage(library.as(viewer), { limit: 1000 });
      return { orphanCount, missingCount };
    },
    async aFilm(folder: string, transcodingProfileId?: string): Promise<number> {
      const input = { mediaType: 'video', fileName: 'film.mp4', folder };
      const id = await library.upload(viewer, 'a film', {
        ...input,
        ...(transcodingProfileId && { transcodingProfileId }),
      });
      await library.work();
      expect(await rowOf(id)).toMatchObject({ transcodingStage: 'done' });
      return id;
    },
    async aFile(folder: string, fileName: string, bytes: string): Promise<number> {
      const id = await library.upload(viewer, bytes, { fileName, folder });
      await library.work();
      return id;
    },
  };
}
