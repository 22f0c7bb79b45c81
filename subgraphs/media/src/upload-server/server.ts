import { join, resolve } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';
import { assertDatabaseAnswers } from '@foyer/shared/database-reachable';
import { closeServer, halvesOf } from '@foyer/shared/http/close-server';
import { mountHealth } from '@foyer/shared/http/health';
import { forwardedPrefix } from '@foyer/shared/http/forwarded-prefix';
import { holdBrowsersTo, serverForBrowsers } from '@foyer/shared/http/browsers/browsers';
import { answerErrors } from '@foyer/shared/http/error-body';
import type { Log } from '@foyer/shared/telemetry/log';
import { observe, observedServer } from '@foyer/shared/http/observed-server';
import { headLimits, holdToLimits, serverLimits } from '@foyer/shared/http/server-limits';
import Fastify from 'fastify';

import { uploadLocker } from '#adapters/upload-store/locker.ts';
import { openWorkFolder, workFolderSweep } from '../processing/work-folder.ts';
import { openObjectStore, openUploadStore } from '../stores.ts';
import { startSweeps } from '../sweeps.ts';
import { isRejected, noteFinished } from '../uploads/finish-upload.ts';
import { uploadJournal } from '../uploads/journal.ts';
import { uploadRejected } from '../uploads/refusals.ts';
import { tusRoutes } from '../uploads/tus/routes.ts';
import type { Config } from './config.ts';
import { sendHook } from './send-hook.ts';

/** Opens the upload server as a process of its own: it shares database and store with the server, and reports to `/hooks/tusd`. */
export async function openUploadServer(
  { host, port, hookUrl, trustedProxies, allowedOrigins, shutdownDelayMs, drainMs, media }: Config,
  log: Log,
) {
  await assertDatabaseAnswers(media.databaseUrl);
  const db = openDatabase(media.databaseUrl);
  const locker = uploadLocker({ databaseUrl: media.databaseUrl, log });
  const work = await openWorkFolder(join(resolve(media.store.folder), '.work'));
  const sweeps = startSweeps([workFolderSweep(work, media.processing)], log);
  const { folder: scratch } = work;
  const store = await openObjectStore(media, { scratch, presign: refuseToPresign });
  const journal = {
    db,
    clock: systemClock,
    uploads: await openUploadStore(media, { scratch, journal: uploadJournal(db) }),
  };
  const hook = { hookUrl, secret: media.uploads.hookSecret, log };

  const rules = serverForBrowsers({ allowedOrigins });
  const app = Fastify({
    ...observedServer({ log, trustedProxies }),
    clientErrorHandler: rules.clientErrorHandler,
    frameworkErrors: rules.frameworkErrors,
    http: { ...headLimits(serverLimits), shouldUpgradeCallback: rules.shouldUpgradeCallback },
    requestTimeout: 0, // a long upload is one long request
    connectionTimeout: serverLimits.idleMs,
    forceCloseConnections: 'idle',
  });
  observe(app, log);
  await holdBrowsersTo(app, { allowedOrigins });
  holdToLimits(app, serverLimits);
  answerErrors(app, log);
  mountHealth(app, { database: () => db.$queryRaw`SELECT 1`, store: store.check });
  await app.register(
    tusRoutes({
      ...journal,
      log,
      locker,
      uploadRules: media.uploads,
      prefixOf: forwardedPrefix(trustedProxies),
      async finish(upload) {
        await noteFinished(journal, upload);
        await sendHook(hook, upload);
        if (await isRejected(journal, upload.id)) throw uploadRejected();
      },
    }),
  );
  const url = await app.listen({ host, port });
  return {
    url,
    drainMs: shutdownDelayMs + drainMs,
    async stop() {
      await closeServer(app, { drainMs, ...halvesOf(shutdownDelayMs) });
      await sweeps.stop();
      await locker.stop();
      await db.$disconnect();
    },
  };
}

function refuseToPresign(): never {
  throw new Error('the upload server hands out no links');
}
