import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import {
  ChangedChannel,
  changedChannel,
  Channel,
  channelFailure,
  oneChannel,
  type ChannelFailureParts,
} from '../answers/channels.ts';
import { NumericId, ok, okOf, pageOf, pageReply } from '../answers/envelope.ts';
import {
  ChannelDocument,
  ChannelsDocument,
  CreateChannelDocument,
  DeleteChannelDocument,
  UpdateChannelDocument,
} from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { OptionalPagination, offsetArguments } from '@foyer/shared/pagination';
import { present } from '../refusals.ts';
import { route } from '../route.ts';

const workspace = z.object({ workspaceId: uuidText().optional() });
const openTo =
  (permission: string) =>
  ({ query }: { query: z.output<typeof workspace> }) => ({
    ...(query.workspaceId && { workspaceId: query.workspaceId }),
    permissions: [permission],
  });
const json = z.record(z.string(), z.unknown());
/** Spec 3, "Ingest configuration"; validated together with the kind of source. */
const ingestConfig = z
  .looseObject({
    url: z.unknown().optional(),
    chunkDuration: z.unknown().optional(),
    fragmentDuration: z.unknown().optional(),
    netTimeout: z.unknown().optional(),
    forceClean: z.unknown().optional(),
  })
  .meta({ id: 'IngestConfig' });
const fields = z.object({
  name: z.string().min(1).max(200),
  quality: z.string().max(50).optional(),
  sourceType: z.string().max(50),
  ingestConfig: ingestConfig.optional(),
  transcodeConfig: json.optional(),
  origins: z
    .array(
      z
        .object({ streamerId: documentedId, ingestUrl: z.string().max(2_000).optional() })
        .meta({ id: 'ChannelOriginInput' }),
    )
    .min(1)
    .max(50),
});
const byId = z.object({ params: z.object({ id: documentedId }), query: workspace });

/** Spec 3, "Channels (prefix /channels)". */
export const channels = [
  route('POST', '/channels', {
    document: CreateChannelDocument,
    input: z.object({
      query: workspace,
      body: fields,
    }),
    variables: ({ query, body: { ingestConfig = {}, transcodeConfig = {}, ...body } }) => ({
      input: { ...body, ingestConfig, transcodeConfig, workspaceId: query.workspaceId ?? null },
    }),
    open: openTo('media:manage'),
    answer: ChangedChannel,
    reply: ({ createChannel }) => changedChannel(createChannel),
    refusal: ({ failures, ...facts }) => ({
      ...facts,
      ...(Array.isArray(failures) && { failures: (failures as ChannelFailureParts[]).map(channelFailure) }),
    }),
    status: 201,
  }),

  route('GET', '/channels', {
    document: ChannelsDocument,
    input: z.object({ query: OptionalPagination.extend(workspace.shape) }),
    variables: ({ query }) => ({ ...offsetArguments(query), workspaceId: query.workspaceId ?? null }),
    open: openTo('media:view'),
    answer: pageOf(Channel),
    reply: ({ channels: found }, { query }) => pageReply(found, oneChannel, query),
  }),

  route('GET', '/channels/:id', {
    document: ChannelDocument,
    input: byId,
    variables: ({ params }) => params,
    open: openTo('media:view'),
    answer: okOf(Channel),
    reply: ({ channel }) => ok(oneChannel(present(channel, 'channel'))),
  }),

  route('PUT', '/channels/:id', {
    document: UpdateChannelDocument,
    input: byId.extend({ body: fields.omit({ sourceType: true }).partial() }),
    variables: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    open: openTo('media:manage'),
    answer: ChangedChannel,
    reply: ({ updateChannel }) => changedChannel(updateChannel),
  }),

  route('DELETE', '/channels/:id', {
    document: DeleteChannelDocument,
    input: byId,
    variables: ({ params }) => params,
    open: openTo('media:manage'),
    answer: okOf(NumericId),
    reply: ({ deleteChannel }) => ok({ id: Number(deleteChannel) }),
  }),
];
