import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { demo } from '@foyer/shared/demo';

import type { Services } from '../context.ts';
import { claimKeys, KeyTaken } from '../objects/claim-keys.ts';
import { thumbnailKey } from '../storage/media-keys.ts';
import { lounge, museum, nightPoster, fair, river } from './drawings.ts';

type Needs = Pick<Services, 'db' | 'store' | 'previewer' | 'processingRules' | 'log'>;

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
  for (const picture of pictures) {
    if (!(await db.media.findUnique({ where: { id: picture.id } }))) await seedPicture(needs, picture);
  }
  // These ids were chosen by hand: the sequence must continue after them.
  await db.$queryRaw`SELECT setval(pg_get_serial_sequence('media.media', 'id'), GREATEST((SELECT max(id) FROM media.media), nextval(pg_get_serial_sequence('media.media', 'id')) - 1))`;
}

async function seedPicture(
  { db, store, previewer, processingRules, log }: Needs,
  { id, svg, title, fileName }: (typeof pictures)[number],
): Promise<void> {
  const storageKey = `acme/storefront/${fileName}`;
  const keys = { storageKey, thumbnailKey: thumbnailKey({ id, storageKey }) };
  const claimed = await db.$transaction((tx) => claimKeys(tx, id, Object.values(keys))).catch(takenIsNull);
  if (claimed === null)
    return log.warn({ storageKey }, 'a demo picture was skipped: its key belongs to another media item');

  const folder = join(processingRules.scratch, `seed-${id}`);
  await mkdir(folder, { recursive: true });
  const file = join(folder, fileName);
  const preview = join(folder, 'thumbnail.jpg');
  const { default: sharp } = await import('sharp'); // in this process: the pictures are our own
  await sharp(Buffer.from(svg)).toFile(file); // in the format that the name says
  const size = await previewer.ofImage(file, preview, new AbortController().signal);
  const stored = await store.putFile(keys.storageKey, file);
  await store.putFile(keys.thumbnailKey, preview);
  await rm(folder, { recursive: true, force: true });

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

function takenIsNull(error: unknown): null {
  if (error instanceof KeyTaken) return null;
  throw error;
}
