// For tests: the whole media subgraph over a temporary database and folder.
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { systemClock } from '@foyer/shared/clock';
import { answerErrors } from '@foyer/shared/http/error-body';
import { readId } from '@foyer/shared/ids';
import { openJobs } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';
import { openEvents } from '@foyer/shared/events/open-events';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { RequestScope } from '@foyer/shared/http/request';
import type { Viewer } from '@foyer/shared/auth/viewer';
import Fastify from 'fastify';
import { graphql } from 'graphql';
import { Upload } from 'tus-js-client';

import { createMedia } from '../app.ts';
import { readConfig } from '../config.ts';

export const HOOK_SECRET = 'a secret for tests only';

/** Everyone signed in may do everything in the workspace `w1`, and nothing elsewhere. */
const permissions: Permissions = {
  onPlatform: async () => new Set(),
  inOrganization: async () => new Set(),
  inWorkspace: async (_viewer, workspaceId) =>
    workspaceId === 'w1'
      ? { organizationId: readId('o1'), permissions: new Set(['media:view', 'media:upload', 'media:manage']) }
      : workspaceId === 'w2'
        ? { organizationId: readId('o1'), permissions: new Set() }
        : null,
  workspacesWith: async () => [readId('w1')],
};

export const editor: Viewer = {
  kind: 'staff',
  userId: readId('u1'),
  idpUserId: 'i1',
  organizationId: readId('o1'),
  organizationSlug: 'acme',
  role: 'ORG_MEMBER',
  sessionId: readId('s1'),
  tokenId: 't1',
  issuedAt: 0,
  expiresAt: 4_000_000_000,
};

export type ScratchMedia = Awaited<ReturnType<typeof openScratchMedia>>;

export async function openScratchMedia(env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-media-'));
  const database = await createTestDatabase();
  const db = openDatabase(database.url);
  const log = openLog('silent');
  const jobs = await openJobs({ databaseUrl: database.url, log });
  const app = Fastify({ requestTimeout: 0 });
  answerErrors(app, log);

  const listening = once(app.server, 'listening');
  const config = readConfig({
    MEDIA_DIR: join(folder, 'media'),
    HOOK_SECRET,
    ASSET_BASE_URL: 'http://localhost',
    DATABASE_URL: database.url,
    ...env,
  });
  const authenticate = async () => ({ viewer: null, by: 'nothing' as const });
  const events = openEvents({ databaseUrl: database.url, log });
  const options = {
    config,
    db,
    jobs,
    events,
    clock: systemClock,
    log,
    permissions,
    rights: { watch: async () => () => undefined, stands: async () => true },
    authenticate,
  };
  const media = await createMedia(options);
  await jobs.register(media.workers);
  await media.seed({ demo: true });
  // The editor owns the tenant of the demo pictures as well.
  await db.mediaTenant.updateMany({ data: { organizationId: 'o1' } });
  await app.register(media.routes);
  await app.listen({ port: 0, host: '127.0.0.1' });
  await listening;
  await jobs.work();
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  async function ask(source: string, variableValues: Record<string, unknown>, viewer: Viewer | null = editor) {
    const scope: RequestScope = {
      requestId: 'test',
      viewer,
      client: { address: '127.0.0.1', userAgent: 'test' },
      signal: new AbortController().signal,
      reply: { cookies: [] },
    };
    return graphql({ schema: media.schema, source, variableValues, contextValue: media.contextFor(scope) });
  }

  return {
    url,
    db,
    media,
    ask,
    folder,
    async prepare(input: Record<string, unknown>): Promise<string> {
      const { data, errors } = await ask(
        'mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }',
        {
          input: {
            workspaceId: 'w1',
            tenant: 'acme',
            folder: 'tests',
            mediaType: 'video',
            mimeType: 'video/mp4',
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
          endpoint: `${url}/files/`,
          metadata: { filename: 'x', filetype: 'video/mp4', uploadToken },
          chunkSize: 256 * 1024,
          onSuccess: () => resolve(upload.url ?? ''),
          onError: reject,
        });
        upload.start();
      });
    },
    async stop() {
      await app.close();
      await jobs.stop(5_000);
      await media.stop();
      await events.stop();
      await db.$disconnect();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
