import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { demo } from '@foyer/shared/demo';
import { runOnce } from '@foyer/shared/process/run-once';

import type { Services } from '../context.ts';
import { claimKeys, KeyTaken } from '../objects/claim-keys.ts';
import { thumbnailKey } from '../storage/media-keys.ts';
import type { Drawings, Drawn } from './draw-pictures.ts';
import { lounge, museum, nightPoster, fair, river } from './drawings.ts';

type Needs = Pick<Services, 'db' | 'store' | 'processingRules' | 'log'>;
type Picture = (typeof pictures)[number];

const pictures = [
  { id: Number(demo.media.posterId), svg: nightPoster, title: 'City nights', fileName: 'city-nights.png' },
  { id: Number(demo.media.loungeId), svg: lounge, title: 'The lounge', fileName: 'lounge.png' },
  { id: Number(demo.media.museumId), svg: museum, title: 'A museum at night', fileName: 'museum.webp' },
  { id: Number(demo.media.riverId), svg: river, title: 'A river at sunset', fileName: 'river.webp' },
  { id: Number(demo.media.fairId), svg: fair, title: 'A fair', fileName: 'fair.webp' },
];

/** Seeds the pictures of the demo storefront under their fixed ids. */
export async function seedDemoMedia(needs: Needs): Promise<void> {
  const { db } = needs;
  const acme = { name: 'acme', organizationId: demo.acme.organizationId };
  await db.mediaTenant.createMany({ data: [acme], skipDuplicates: true });
  const ids = pictures.map(({ id }) => id);
  const there = await db.media.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const missing = pictures.filter(({ id }) => there.every((media) => media.id !== id));
  if (missing.length > 0) await seedPictures(needs, missing);
  // These ids were chosen by hand: the sequence must continue after them.
  await db.$queryRaw`SELECT setval(pg_get_serial_sequence('media.media', 'id'), GREATEST((SELECT max(id) FROM media.media), nextval(pg_get_serial_sequence('media.media', 'id')) - 1))`;
}

const keysOf = ({ id, fileName }: Picture) => {
  const storageKey = `acme/storefront/${fileName}`;
  return { storageKey, thumbnailKey: thumbnailKey({ id, storageKey }) };
};

/** Draws pictures, all in one process that ends, and stores them. */
async function seedPictures(needs: Needs, missing: readonly Picture[]): Promise<void> {
  const claimed: Picture[] = [];
  for (const picture of missing) if (await claim(needs, picture)) claimed.push(picture);
  if (claimed.length === 0) return;
  const folder = await mkdtemp(join(needs.processingRules.scratch, 'seed-'));
  const drawings: Drawings = { folder, pictures: claimed };
  const drawn = (await runOnce(new URL('draw-pictures.ts', import.meta.url), drawings)) as Drawn[];
  for (const picture of claimed) {
    const files = drawn.find(({ id }) => id === picture.id);
    if (files) await storePicture(needs, picture, files);
  }
  await rm(folder, { recursive: true, force: true });
}

/** Claims the keys of a picture; returns false when one belongs to another media item. */
async function claim({ db, log }: Needs, picture: Picture): Promise<boolean> {
  const keys = keysOf(picture);
  try {
    await db.$transaction((tx) => claimKeys(tx, picture.id, Object.values(keys)));
    return true;
  } catch (error) {
    if (!(error instanceof KeyTaken)) throw error;
    log.warn({ storageKey: keys.storageKey }, 'a demo picture was skipped: its key belongs to another media item');
    return false;
  }
}

async function storePicture({ db, store }: Needs, picture: Picture, { file, preview, size }: Drawn): Promise<void> {
  const { id, fileName, title } = picture;
  const keys = keysOf(picture);
  const stored = await store.putFile(keys.storageKey, file);
  await store.putFile(keys.thumbnailKey, preview);
  await db.media.create({
    data: {
      id,
      tenant: 'acme',
      folder: 'storefront',
      fileName,
      ...keys,
      ...size,
      organizationId: demo.acme.organizationId,
      workspaceId: demo.acme.workspaceId,
      title,
      mediaType: 'image',
      mimeType: fileName.endsWith('.webp') ? 'image/webp' : 'image/png',
      fileSize: stored.size,
      etag: stored.etag,
      originalName: fileName,
      objectsRecorded: true,
      visibility: 'PUBLIC', // the storefront shows them to everybody
      status: 'ready',
      transcodingStage: 'done',
      progress: 100,
    },
  });
}
