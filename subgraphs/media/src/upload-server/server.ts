import { openDatabase } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';
import { answerErrors } from '@foyer/shared/http';
import { openLog } from '@foyer/shared/log';
import Fastify from 'fastify';

import { uploadLocker } from '#adapters/upload-locker.ts';
import { openUploadStore } from '../stores.ts';
import { noteFinished } from '../uploads/finish-upload.ts';
import { uploadJournal } from '../uploads/journal.ts';
import { tusRoutes } from '../uploads/tus-routes.ts';
import type { Config } from './config.ts';
import { tellHouse } from './tell-house.ts';

/** The upload server alone: it shares database and store with the house, and reports to `/hooks/tusd`. */
export async function openUploadServer({ host, port, hookUrl, logLevel, media }: Config) {
  const log = openLog(logLevel);
  const db = openDatabase(media.databaseUrl);
  const locker = uploadLocker({ databaseUrl: media.databaseUrl, log });
  const journal = { db, clock: systemClock, uploads: openUploadStore(media, uploadJournal(db)) };
  const telling = { hookUrl, secret: media.uploads.hookSecret, log };

  const app = Fastify({ requestTimeout: 0, forceCloseConnections: true });
  answerErrors(app, log);
  await app.register(
    tusRoutes({
      ...journal,
      log,
      locker,
      uploadRules: media.uploads,
      async finish(upload) {
        await noteFinished(journal, upload);
        await tellHouse(telling, upload);
      },
    }),
  );
  const url = await app.listen({ host, port });
  return {
    url,
    async stop() {
      await app.close();
      await locker.stop();
      await db.$disconnect();
    },
  };
}
