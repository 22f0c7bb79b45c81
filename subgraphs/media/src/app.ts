import { join, resolve } from 'node:path';

import type { MediaDatabase } from '@foyer/prisma/media';
import { oneAtATime } from '@foyer/prisma/one-at-a-time';
import { forwardedPrefix } from '@foyer/shared/http/forwarded-prefix';
import { openAddressPolicy, type AddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import type { Authenticate } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { Jobs } from '@foyer/shared/jobs/jobs';
import { lazy } from '@foyer/shared/lazy';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Events } from '@foyer/shared/events/events';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Rights } from '@foyer/shared/auth/rights';
import type { Subgraph } from '@foyer/shared/graphql/subgraph';
import type { Dispatcher } from 'undici';

import { openNodeConnections } from '#adapters/node-connections.ts';
import { previewer } from '#adapters/previews/previewer.ts';
import { streamer } from '#adapters/streamer.ts';
import { findTools } from '#adapters/tools.ts';
import { ffmpegTranscoder } from '#adapters/transcoder.ts';
import { uploadLocker } from '#adapters/upload-store/locker.ts';
import { assetLinks } from './storage/asset-links.ts';
import { openAccess } from './assets/access.ts';
import { assetRoutes } from './assets/routes.ts';
import { signedUrl } from './assets/signature.ts';
import { warningsAbout, type Config } from './config.ts';
import type { Context, Services } from './context.ts';
import { openLoaders } from './media/loaders.ts';
import { topics } from './topics.ts';
import { nodeProxy } from './nodes/proxy.ts';
import { openWorkFolder } from './processing/work-folder.ts';
import { startSweeps } from './sweeps.ts';
import { viewerOfRequests } from './route-viewer.ts';
import { mediaSchema } from './schema.ts';
import { seedMedia, type SeedOptions } from './seed/seed-media.ts';
import { openObjectStore, openUploadStore } from './stores.ts';
import { finishUpload } from './uploads/finish-upload.ts';
import { hookRoutes } from './uploads/hooks/routes.ts';
import { uploadJournal } from './uploads/journal.ts';
import { uploadRejected } from './uploads/refusals.ts';
import { tusRoutes } from './uploads/tus/routes.ts';
import { UPLOADS } from './storage/upload-keys.ts';
import { mediaSweeps, mediaWorkers } from './workers.ts';

interface Options {
  config: Config;
  db: MediaDatabase;
  jobs: Jobs;
  events: Events;
  clock: Clock;
  log: Log;
  permissions: Permissions;
  rights: Rights;
  authenticate: Authenticate;
}

/** The media subgraph, and what the composition root needs besides serving it. */
export interface Media extends Subgraph {
  /** Writes the first data of a new installation; run again, it changes nothing. */
  seed(options: SeedOptions): Promise<void>;
  /** Resolves when the object store answers. */
  checkStore(): Promise<void>;
}

/** Creates the media subgraph: uploads, processing, the library and its bytes, channels and nodes. */
export async function createMedia(options: Options): Promise<Media> {
  const { config, authenticate } = options;
  for (const warning of warningsAbout(config)) options.log.warn(warning);
  const nodeAddresses = openAddressPolicy(config.nodes.addresses);
  const openConnections = () => openNodeConnections({ ...config.nodes, addresses: nodeAddresses });
  // Each node has a limit of connections: clients of the proxy, who may be slow, must not use up those of our own requests.
  const [connections, proxied] = [openConnections(), openConnections()];
  const work = await openWorkFolder(join(resolve(config.store.folder), '.work'));
  const services = await openServices(options, { connections, nodeAddresses }, work.folder);
  const locker = uploadLocker({ databaseUrl: config.databaseUrl, log: services.log });
  const uploading = { locker, prefixOf: forwardedPrefix(config.trustedProxies) };
  // Also in processes that serve no requests: the sweeps show that the process lives and uses its work folder.
  const sweeps = startSweeps(mediaSweeps(services, work), services.log);
  const viewerOf = viewerOfRequests({ authenticate, restAuth: config.restAuth });
  const assets = {
    ...services,
    bucket: config.store.bucket,
    linkSecrets: config.assets.linkSecrets,
    presignSeconds: config.assets.presignSeconds,
    accessOf: openAccess(services.db, { unownedIsPublic: config.restAuth === 'documented' }),
    hiddenPrefix: `${UPLOADS}/`,
    firstByteMs: config.store.s3?.timeoutMs ?? null,
  };

  return {
    name: 'media',
    schema: await mediaSchema(),
    contextFor: (scope): Context => ({ ...services, ...scope, loaders: openLoaders(services.db) }),
    async routes(app) {
      await app.register(tusRoutes({ ...services, ...uploading, finish: (upload) => finishHere(services, upload) }));
      await app.register(hookRoutes(services));
      await app.register(assetRoutes(assets));
      await app.register(nodeProxy({ ...services, viewerOf, connections: proxied, limits: config.nodes.proxyLimits }));
    },
    workers: mediaWorkers(services),
    channels: Object.values(topics),
    checkStore: () => services.store.check(),
    seed: (options) => oneAtATime(services.db, () => seedMedia(services, options)),
    async stop() {
      await sweeps.stop();
      await connections.destroy();
      await proxied.destroy();
      await locker.stop();
    },
  };
}

/** Completes an upload of the upload server in this process, which needs no hook. */
async function finishHere(services: Services, upload: { id: string; size: number }): Promise<void> {
  if ((await finishUpload(services, upload)) === null) throw uploadRejected();
}

/** Wires the dependencies that live as long as the process. */
async function openServices(
  { config, authenticate: _edge, ...options }: Options,
  { connections, nodeAddresses }: { connections: Dispatcher; nodeAddresses: AddressPolicy },
  scratch: string,
): Promise<Services> {
  const { baseUrl, cdnHost, linkSeconds, linkSecrets } = config.assets;
  const { bucket } = config.store;
  const tools = lazy(() => findTools(config.processing));
  const presign = (key: string, seconds: number) =>
    signedUrl(baseUrl, key, { seconds, now: options.clock.now(), secret: linkSecrets[0] });

  return {
    ...options,
    store: await openObjectStore(config, { scratch, presign }),
    uploads: await openUploadStore(config, { scratch, journal: uploadJournal(options.db) }),
    uploadRules: config.uploads,
    processingRules: { ...config.processing, scratch },
    transcoder: ffmpegTranscoder(tools),
    previewer: previewer(tools),
    links: assetLinks({ baseUrl, cdnHost, bucket, clock: options.clock, linkSeconds, secret: linkSecrets[0] }),
    streamer: streamer({ connections, timeoutMs: config.nodes.timeoutMs }),
    nodeAddresses,
    originPollMs: config.nodes.originPollMs,
    restoreStreams: config.nodes.restoreStreams,
    nodePollMs: config.nodes.nodePollMs,
    playbackUrl: config.nodes.playbackUrl,
  };
}
