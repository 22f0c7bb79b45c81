import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

import type { Server } from './server-process.ts';
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

/** Uploads a file in both steps; returns its name in the library. */
export async function uploadOnly(server: Server, file: string, wish: Wish): Promise<string> {
  const { size } = await stat(file);
  const fileName = basename(file);
  const uploadToken = await prepareUpload(server, { size, fileName, ...wish });
  await uploading(server, file, { size, uploadToken }).done;
  return fileName;
}

/** The media row of an uploaded file. */
export const rowOf = (server: Server, fileName: string, folder: string): Promise<Json> =>
  until(`${fileName} to be in the library`, async () => {
    const { json } = await send(server, 'GET', `/api/media/?folder=${folder}&limit=100`);
    return json.data.find((media: Json) => media.originalName === fileName);
  });

/** Both: uploads a file, and returns its media row as it is at once. */
export const upload = async (server: Server, file: string, wish: Wish): Promise<Json> =>
  rowOf(server, await uploadOnly(server, file, wish), wish.folder);

/** How a media item is now. */
export const mediaOf = async (server: Server, id: number): Promise<Json> =>
  (await send(server, 'GET', `/api/media/${id}`)).json.data;

/** The same, when nothing more will happen to it. */
export const ended = (server: Server, id: number, timeoutMs = 90_000): Promise<Json> =>
  until(
    `media ${id} to be processed`,
    async () => {
      const media = await mediaOf(server, id);
      return ['done', 'failed'].includes(media.transcodingStage) && media;
    },
    { timeoutMs, everyMs: 100 },
  );

/** Uploads a file and waits until it is processed. */
export const processed = async (server: Server, file: string, wish: Wish): Promise<Json> =>
  ended(server, (await upload(server, file, wish)).id);

/** The id of a seeded transcoding profile, by how its name begins. */
export async function profileId(server: Server, name: string): Promise<number> {
  const { json } = await send(server, 'GET', '/api/media/transcoding-profiles?category=video');
  return json.data.find((profile: Json) => profile.name.startsWith(name)).ID;
}

/** What lies under a key, as anyone gets it. */
export async function asset(server: Server, key: string): Promise<Response> {
  return fetch(new URL(`/assets/media/${key}`, server.url));
}
