import type { DatabaseOf, TransactionOf } from './client.ts';

/** The tables that media owns. */
type Models =
  | 'media'
  | 'processingCheckpoint'
  | 'storedObject'
  | 'movedObject'
  | 'mediaQuota'
  | 'mediaTenant'
  | 'unpurgedMedia'
  | 'mediaUsage'
  | 'uploadToken'
  | 'upload'
  | 'transcodingProfile'
  | 'rendition'
  | 'channel'
  | 'channelOrigin'
  | 'streamer'
  | 'cacheNode'
  | 'loadBalancerNode';

export type MediaDatabase = DatabaseOf<Models>;
export type MediaTransaction = TransactionOf<Models>;
