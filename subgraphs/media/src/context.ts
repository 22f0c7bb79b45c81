import type { MediaDatabase } from '@foyer/prisma/media';
import type { Clock } from '@foyer/shared/clock';
import type { Id } from '@foyer/shared/ids';
import type { Jobs } from '@foyer/shared/jobs/jobs';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Events } from '@foyer/shared/events/events';
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
import type { AddressPolicy } from '@foyer/shared/http/addresses/address-policy';

/** An entity of another subgraph, by its id. */
export interface Reference {
  id: Id;
}

/** The wired dependencies, which live as long as the process. */
export interface Services {
  db: MediaDatabase;
  clock: Clock;
  jobs: Jobs;
  log: Log;
  events: Events;
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
  /** The networks in which nodes may be. */
  nodeAddresses: AddressPolicy;
  /** How often each origin of a channel is checked, in milliseconds. */
  originPollMs: number;
  /** Whether a check orders a stream again that its streamer does not have. */
  restoreStreams: boolean;
  /** How often each node is pinged, in milliseconds. */
  nodePollMs: number;
  /** The URL template of playback, with `{host}`, `{httpPort}` and `{streamId}` in it. */
  playbackUrl: string;
}

interface UploadRules {
  maxBytes: number;
  tokenMinutes: number;
  /** How much an organization may store that has no quota of its own; null for no limit. */
  quota: { bytes: number | null; items: number | null };
  /** How long a request may go without a byte before the upload server ends it. */
  idleSeconds: number;
  hookSecret: string;
  /** The URL at which uploads are created. */
  url: string;
  /** The part of `Location` before the id of an upload. */
  locationBase: string;
}

interface ProcessingRules {
  /** In LUFS. */
  targetLoudness: number;
  /** A folder for the unfinished work of this process, on the file system of the store where there is one. */
  scratch: string;
  /** How often an attempt writes a sign of life, in milliseconds. */
  beatMs: number;
  /** How many items one process works on at a time, in each step. */
  concurrency: number;
}

/** The context of a resolver. */
export interface Context extends Services, RequestScope {
  loaders: Loaders;
}
