import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

import type { House } from './house.ts';
import type { Json } from './json.ts';
import { send } from './people.ts';
import { until } from './until.ts';
import { prepareUpload, uploading } from './uploads.ts';

interface Wish {
  folder: string;
  mediaType?: string;
  mimeType?: string;
  transcodingProfileId?: number;
}

/** Uploads a file in both steps; returns the media row of the library as it is at once. */
export async function upload(house: House, file: string, wish: Wish): Promise<Json> {
  const { size } = await stat(file);
  const fileName = basename(file);
  const uploadToken = await prepareUpload(house, { size, fileName, ...wish });
  await uploading(house, file, { size, uploadToken }).done;
  return until(`${fileName} to be in the library`, async () => {
    const { json } = await send(house, 'GET', `/api/media/?folder=${wish.folder}&limit=100`);
    return json.data.findLast((media: Json) => media.originalName === fileName);
  });
}

/** How a media item is now. */
export const mediaOf = async (house: House, id: number): Promise<Json> =>
  (await send(house, 'GET', `/api/media/${id}`)).json.data;

/** The same, when nothing more will happen to it. */
export const ended = (house: House, id: number, timeoutMs = 90_000): Promise<Json> =>
  until(
    `media ${id} to be processed`,
    async () => {
      const media = await mediaOf(house, id);
      return ['done', 'failed'].includes(media.transcodingStage) && media;
    },
    { timeoutMs, everyMs: 100 },
  );

/** Uploads a file and waits until it is processed. */
export const processed = async (house: House, file: string, wish: Wish): Promise<Json> =>
  ended(house, (await upload(house, file, wish)).id);

/** The id of a seeded transcoding profile, by how its name begins. */
export async function profileId(house: House, name: string): Promise<number> {
  const { json } = await send(house, 'GET', '/api/media/transcoding-profiles?category=video');
  return json.data.find((profile: Json) => profile.name.startsWith(name)).ID;
}

/** What lies under a key, as anyone gets it. */
export async function asset(house: House, key: string): Promise<Response> {
  return fetch(new URL(`/assets/media/${key}`, house.url));
}
