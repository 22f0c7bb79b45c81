import { join, resolve } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';
import { closeServer } from '@foyer/shared/http/close-server';
import { mountHealth } from '@foyer/shared/http/health';
import { forwardedPrefix } from '@foyer/shared/http/forwarded-prefix';
import { holdBrowsersTo, serverForBrowsers } from '@foyer/shared/http/browsers';
import { answerErrors } from '@foyer/shared/http/error-body';
import type { Log } from '@foyer/shared/telemetry/log';
import { observe, observedServer } from '@foyer/shared/http/observed-server';
import { headLimits, holdToLimits, serverLimits } from '@foyer/shared/http/server-limits';
import Fastify from 'fastify';

import { uploadLocker } from '#adapters/upload-store/locker.ts';
import { openWorkFolder } from '../processing/work-folder.ts';
import { openRounds } from '../sweeps.ts';
import { openObjectStore, openUploadStore } from '../stores.ts';
import { isRejected, noteFinished } from '../uploads/finish-upload.ts';
import { uploadJournal } from '../uploads/journal.ts';
import { uploadRejected } from '../uploads/refusals.ts';
import { tusRoutes } from '../uploads/tus/routes.ts';
import { sweepWork } from '../workers.ts';
import type { Config } from './config.ts';
import { tellHouse } from './send-hook.ts';

/** The upload server alone: it shares database and store with the house, and reports to `/hooks/tusd`. */
export async function openUploadServer(
  { host, port, hookUrl, trustedProxies, allowedOrigins, media }: Config,
  log: Log,
) {
  const db = openDatabase(media.databaseUrl);
  const locker = uploadLocker({ databaseUrl: media.databaseUrl, log });
  const work = await openWorkFolder(join(resolve(media.store.folder), '.work'));
  const rounds = openRounds([sweepWork(work, media.processing)], log);
  const { folder: scratch } = work;
  const store = await openObjectStore(media, { scratch, presign: handsOutNoLinks });
  const journal = {
    db,
    clock: systemClock,
    uploads: await openUploadStore(media, { scratch, journal: uploadJournal(db) }),
  };
  const telling = { hookUrl, secret: media.uploads.hookSecret, log };

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
        await tellHouse(telling, upload);
        if (await isRejected(journal, upload.id)) throw uploadRejected();
      },
    }),
  );
  const url = await app.listen({ host, port });
  return {
    url,
    async stop() {
      await closeServer(app);
      await rounds.stop();
      await locker.stop();
      await db.$disconnect();
    },
  };
}

function handsOutNoLinks(): never {
  throw new Error('the upload server hands out no links');
}
