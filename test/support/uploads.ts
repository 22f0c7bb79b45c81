import { createReadStream } from 'node:fs';

import { Upload } from 'tus-js-client';
import { expect } from 'vitest';

import type { Server } from './server-process.ts';
import { send } from './people.ts';

interface Prepared {
  size: number;
  fileName: string;
  folder: string;
  mediaType?: string;
  mimeType?: string;
  transcodingProfileId?: number;
}

/** The first step of an upload: what is going to come. Returns the upload token. */
export async function prepareUpload(
  server: Server,
  { size, fileName, folder, mediaType = 'video', mimeType, transcodingProfileId }: Prepared,
): Promise<string> {
  const { status, json } = await send(server, 'POST', '/api/media/prepare', {
    body: {
      title: fileName,
      mediaType,
      mimeType: mimeType ?? (mediaType === 'video' ? 'video/mp4' : 'application/octet-stream'),
      fileSize: size,
      originalName: fileName,
      fileName,
      tenant: 'acme',
      folder,
      ...(transcodingProfileId !== undefined && { transcodingProfileId }),
    },
  });
  expect(status).toBe(201);
  return json.data.uploadToken as string;
}

interface Options {
  size: number;
  uploadToken: string;
  /** Where an upload that was cut off goes on. */
  uploadUrl?: string;
}

/** The second step, by the tus protocol, in small chunks. */
export function uploading(server: Server, file: string, { size, uploadToken, uploadUrl }: Options) {
  const state: { part: number; failure?: Error } = { part: 0 };
  const upload = new Upload(createReadStream(file), {
    endpoint: `${server.url}/files/`,
    ...(uploadUrl && { uploadUrl }),
    uploadSize: size,
    chunkSize: 64 * 1024,
    retryDelays: null,
    metadata: { filename: 'upload', filetype: 'application/octet-stream', uploadToken },
    onProgress: (sent) => (state.part = sent / size),
  });
  const done = new Promise<void>((resolve, reject) => {
    upload.options.onSuccess = () => resolve();
    upload.options.onError = (error) => {
      state.failure = error;
      reject(error);
    };
  });
  done.catch(() => undefined); // an upload that is cut off on purpose fails
  upload.start();

  return {
    done,
    /** Waits until this part of it has been sent; returns where it lives. */
    async until(share: number): Promise<string> {
      while (state.part < share) {
        if (state.failure) throw state.failure;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return upload.url ?? '';
    },
  };
}
