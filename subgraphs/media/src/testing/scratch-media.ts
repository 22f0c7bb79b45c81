// For tests: the whole media subgraph over a temporary database and folder.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Media } from '@foyer/prisma/client';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { Upload } from 'tus-js-client';
import { vi } from 'vitest';

import { startMediaServer } from './media-server.ts';

export { editor, HOOK_SECRET, operator } from './media-server.ts';

/** How long processing may take on a busy machine. */
const PROCESSING_MS = 240_000;

export type ScratchMedia = Awaited<ReturnType<typeof openScratchMedia>>;

/**
 * @param works whether it runs jobs
 * @param demo whether to begin with the demo library, whose pictures take a second to draw
 */
export async function openScratchMedia(env: Record<string, string> = {}, { works = true, demo = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-media-'));
  const database = await createTestDatabase();
  const server = await startMediaServer({ databaseUrl: database.url, folder, demo, env, works });

  return {
    ...server,
    databaseUrl: database.url,
    folder,
    async prepare(input: Record<string, unknown>): Promise<string> {
      const { data, errors } = await server.ask(
        'mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }',
        {
          input: {
            workspaceId: 'w1',
            tenant: 'acme',
            folder: 'tests',
            mediaType: 'video',
            mimeType: 'video/mp4',
            visibility: 'PUBLIC',
            ...input,
          },
        },
      );
      if (errors?.[0]) throw errors[0];
      return (data as { prepareUpload: { uploadToken: string } }).prepareUpload.uploadToken;
    },
    async upload(file: string, uploadToken: string): Promise<string> {
      const bytes = await readFile(file);
      return new Promise((resolve, reject) => {
        const upload = new Upload(bytes, {
          endpoint: `${server.url}/files/`,
          metadata: { filename: 'x', filetype: 'video/mp4', uploadToken },
          chunkSize: 256 * 1024,
          onSuccess: () => resolve(upload.url ?? ''),
          onError: reject,
        });
        upload.start();
      });
    },
    /** Waits until a file is processed, or can't be. */
    ended: (id: number): Promise<Media> =>
      vi.waitFor(
        async () => {
          const row = await server.db.media.findUniqueOrThrow({ where: { id } });
          if (!['done', 'failed'].includes(row.transcodingStage)) throw new Error('processing did not end');
          return row;
        },
        { timeout: PROCESSING_MS, interval: 100 },
      ),
    async stop() {
      await server.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
