import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { demo } from '@foyer/shared/demo';
import sharp from 'sharp';

import type { House } from '../context.ts';
import { thumbnailKey } from '../processing/keys.ts';
import { lounge, nightPoster } from './drawings.ts';

type Needs = Pick<House, 'db' | 'store' | 'previewer' | 'processingRules'>;

const pictures = [
  { id: Number(demo.media.posterId), svg: nightPoster, title: 'City nights', fileName: 'city-nights.png' },
  { id: Number(demo.media.loungeId), svg: lounge, title: 'The lounge', fileName: 'lounge.png' },
];

/** The pictures of the demo storefront, under their fixed numbers. */
export async function seedDemoMedia(needs: Needs): Promise<void> {
  const { db } = needs;
  for (const picture of pictures) {
    if (!(await db.media.findUnique({ where: { id: picture.id } }))) await seedPicture(needs, picture);
  }
  // The numbers were given by hand: what comes by itself goes on after them.
  await db.$queryRaw`SELECT setval(pg_get_serial_sequence('media.media', 'id'), GREATEST((SELECT max(id) FROM media.media), nextval(pg_get_serial_sequence('media.media', 'id')) - 1))`;
}

async function seedPicture(
  { db, store, previewer, processingRules }: Needs,
  { id, svg, title, fileName }: (typeof pictures)[number],
) {
  const place = { id, tenant: 'acme', folder: 'storefront', fileName, ownFolder: false };
  const storageKey = `acme/storefront/${fileName}`;
  const folder = join(processingRules.scratch, `seed-${id}`);
  await mkdir(folder, { recursive: true });
  const file = join(folder, fileName);
  const preview = join(folder, 'thumbnail.jpg');
  await sharp(Buffer.from(svg)).png().toFile(file);
  const size = await previewer.ofImage(file, preview);
  const stored = await store.putFile(storageKey, file);
  await store.putFile(thumbnailKey(place), preview);
  await rm(folder, { recursive: true, force: true });

  await db.media.create({
    data: {
      ...place,
      ...size,
      organizationId: demo.acme.organizationId,
      workspaceId: demo.acme.workspaceId,
      title,
      mediaType: 'image',
      mimeType: 'image/png',
      fileSize: stored.size,
      etag: stored.etag,
      originalName: fileName,
      storageKey,
      thumbnailKey: thumbnailKey(place),
      status: 'ready',
      transcodingStage: 'done',
      progress: 100,
    },
  });
}
