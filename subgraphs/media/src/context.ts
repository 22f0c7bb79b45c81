import type { MediaDatabase } from '@foyer/prisma/media';
import type { Clock } from '@foyer/shared/clock';
import type { Id } from '@foyer/shared/ids';
import type { Jobs } from '@foyer/shared/jobs/jobs';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Notices } from '@foyer/shared/events/events';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { RequestScope } from '@foyer/shared/http/request';
import type { Rights } from '@foyer/shared/auth/rights';

import type { ObjectStore } from '#ports/object-store.ts';
import type { Previewer } from '#ports/previewer.ts';
import type { Streamer } from '#ports/streamer.ts';
import type { Transcoder } from '#ports/transcoder.ts';
import type { UploadStore } from '#ports/upload-store.ts';
import type { AssetLinks } from './storage/asset-links.ts';
import type { Loaders } from './media/loaders.ts';
import type { AddressPolicy } from '@foyer/shared/http/address-policy';

/** An entity of another subgraph, by its id. */
export interface Reference {
  id: Id;
}

/** What lives as long as the process. */
export interface Services {
  db: MediaDatabase;
  clock: Clock;
  jobs: Jobs;
  log: Log;
  notices: Notices;
  permissions: Permissions;
  rights: Rights;
  store: ObjectStore;
  uploads: UploadStore;
  uploadRules: UploadRules;
  processingRules: ProcessingRules;
  transcoder: Transcoder;
  previewer: Previewer;
  links: AssetLinks;
  streamer: Streamer;
  /** Where nodes may be. */
  nodeAddresses: AddressPolicy;
  /** How often each origin of a channel is asked about, in milliseconds. */
  originPollMs: number;
  /** How often each node is asked whether it is there, in milliseconds. */
  nodePollMs: number;
  /** Where a stream is watched, with `{host}`, `{httpPort}` and `{streamId}` in it. */
  playbackUrl: string;
}

interface UploadRules {
  maxBytes: number;
  tokenMinutes: number;
  /** After so long without a byte the upload server ends a request. */
  idleSeconds: number;
  hookSecret: string;
  /** Where uploads are created. */
  url: string;
  /** What `Location` puts before the id of an upload. */
  locationBase: string;
}

interface ProcessingRules {
  /** In LUFS. */
  targetLoudness: number;
  /** A folder for the unfinished work of this process, on the file system of the store where there is one. */
  scratch: string;
  /** How often a try shows that it lives, in milliseconds. */
  beatMs: number;
}

/** What a resolver gets. */
export interface Context extends Services, RequestScope {
  loaders: Loaders;
}
