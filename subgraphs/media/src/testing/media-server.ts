// For tests: a server of the media subgraph alone, in this process.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';
import { answerErrors } from '@foyer/shared/http/error-body';
import { readId } from '@foyer/shared/ids';
import { openJobs, type Supervision } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';
import { openEvents } from '@foyer/shared/events/open-events';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { RequestScope } from '@foyer/shared/http/request';
import type { Viewer } from '@foyer/shared/auth/viewer';
import Fastify from 'fastify';
import { graphql, parse, subscribe } from 'graphql';

import { createMedia } from '../app.ts';
import { readConfig } from '../config.ts';
import { packaged } from './own-tools.ts';

export const HOOK_SECRET = 'a secret for tests only';

/** Everyone signed in may do everything in the workspace `w1`, and nothing elsewhere; `operator` runs the platform. */
const permissions: Permissions = {
  onPlatform: async (viewer) => new Set(viewer === operator ? ['org:manage'] : []),
  inOrganization: async () => new Set(),
  inWorkspace: async (_viewer, workspaceId) =>
    workspaceId === 'w1'
      ? {
          organizationId: readId('o1'),
          permissions: new Set(['media:view', 'media:upload', 'media:manage', 'media:delete']),
        }
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

/** Staff of the platform. */
export const operator: Viewer = { ...editor, userId: readId('u9'), organizationId: readId('o9') };

export interface MediaServerOptions {
  databaseUrl: string;
  /** For all of its files. */
  folder: string;
  /** 0 for any. */
  port?: number;
  /** Whether to begin with the demo library. */
  demo?: boolean;
  supervision?: Supervision;
  /** Whether it runs jobs; true by default. */
  works?: boolean;
  env?: Record<string, string>;
}

/** Starts the server, with its workers and the programs from npm. */
export async function startMediaServer({
  databaseUrl,
  folder,
  port = 0,
  demo = false,
  supervision,
  works = true,
  env = {},
}: MediaServerOptions) {
  const db = openDatabase(databaseUrl);
  const log = openLog('silent');
  const jobs = await openJobs({ databaseUrl, log, supervision });
  const app = Fastify({ requestTimeout: 0 });
  answerErrors(app, log);

  const listening = once(app.server, 'listening');
  const { ffmpeg, ffprobe } = await packaged();
  const config = readConfig({
    FFMPEG_PATH: ffmpeg,
    FFPROBE_PATH: ffprobe,
    MEDIA_DIR: join(folder, 'media'),
    HOOK_SECRET,
    ASSET_BASE_URL: 'http://localhost',
    DATABASE_URL: databaseUrl,
    ...env,
  });
  const authenticate = async () => ({ viewer: null, by: 'nothing' as const });
  const events = openEvents({ databaseUrl, log });
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
  await media.seed({ demo });
  // The editor owns the tenant of the demo pictures as well.
  await db.mediaTenant.updateMany({ data: { organizationId: 'o1' } });
  await app.register(media.routes);
  await app.listen({ port, host: '127.0.0.1' });
  await listening;
  if (works) await jobs.work();
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  const contextOf = (viewer: Viewer | null, { signal } = new AbortController()) => {
    const client = { address: '127.0.0.1', userAgent: 'test' };
    const scope: RequestScope = { requestId: 'test', viewer, client, signal, reply: { cookies: [] } };
    return media.contextFor(scope);
  };
  const ask = (source: string, variableValues: Record<string, unknown>, viewer: Viewer | null = editor) =>
    graphql({ schema: media.schema, source, variableValues, contextValue: contextOf(viewer) });

  /** Subscribes, and collects what is reported until it is left. */
  async function watch(source: string, variableValues: Record<string, unknown>) {
    const ending = new AbortController();
    const contextValue = contextOf(editor, ending);
    const results = await subscribe({ schema: media.schema, document: parse(source), variableValues, contextValue });
    if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results.errors));
    const heard: Record<string, unknown>[] = [];
    const over = (async () => {
      for await (const { data } of results) if (data) heard.push(data);
    })();
    return {
      heard,
      async leave() {
        ending.abort();
        await results.return?.();
        await over;
      },
    };
  }

  return {
    url,
    db,
    jobs,
    media,
    ask,
    watch,
    async stop() {
      await app.close();
      await jobs.stop(5_000);
      await media.stop();
      await events.stop();
      await db.$disconnect();
    },
  };
}
