import { channelFields, channelRoutes } from './channels.ts';
import { mediaRoutes, mediaRules } from './media-routes.ts';
import { nodeFields, nodeRoutes } from './nodes.ts';
import { mediaKeys, mediaLimits, processing } from './processing.ts';
import { mediaFields, mediaStates, profileFields, service } from './records.ts';

/** Document 3, section by section. */
export const media = {
  'What the service does': service,
  'Media and upload token': mediaFields,
  'Transcoding profile': profileFields,
  'Channel and origin': channelFields,
  'Streamer node and status': nodeFields,
  'Media status and transcodingStage': mediaStates,
  Media: mediaRoutes,
  'Processing after upload': processing,
  'Consuming media keys': mediaKeys,
  'Channels and errors': channelRoutes,
  'Streamer nodes': nodeRoutes,
  'Authentication, events, versioning': mediaRules,
  Limits: mediaLimits,
};
