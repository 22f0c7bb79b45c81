import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import {
  ChannelDocument,
  ChannelsDocument,
  CreateChannelDocument,
  DeleteChannelDocument,
  UpdateChannelDocument,
  type ChannelPartsFragment,
} from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { OptionalPagination, paginated, offsetArguments } from '@foyer/shared/pagination';
import { present } from '../refusals.ts';
import { route } from '../route.ts';

export const oneChannel = (found: ChannelPartsFragment | null | undefined) => {
  const { id, quality, origins, ...fields } = present(found, 'channel');
  return {
    id: Number(id),
    ...fields,
    quality: quality ?? '', // the document has a string here and in ingestUrl
    origins: origins.map(({ id, channelId, streamerId, ingestUrl, ...origin }) => ({
      id: Number(id),
      channelId: Number(channelId),
      streamerId: Number(streamerId),
      ingestUrl: ingestUrl ?? '',
      ...origin,
    })),
  };
};

const changed = (result: { channel: ChannelPartsFragment; failures: ChannelFailure[] } | null) => ({
  success: true,
  data: oneChannel(result?.channel),
  failures: result?.failures.map(oneFailure),
});
const oneFailure = ({ streamerId, ...why }: ChannelFailure) => ({ streamerId: Number(streamerId), ...why });
interface ChannelFailure {
  streamerId: string;
  code: string;
  message: string;
}

const workspace = z.object({ workspaceId: uuidText().optional() });
const openTo =
  (permission: string) =>
  ({ query }: { query: z.output<typeof workspace> }) => ({
    ...(query.workspaceId && { workspaceId: query.workspaceId }),
    permissions: [permission],
  });
const json = z.record(z.string(), z.unknown());
/** Spec 3, "Ingest configuration"; validated together with the kind of source. */
const ingestConfig = z.looseObject({
  url: z.unknown().optional(),
  chunkDuration: z.unknown().optional(),
  fragmentDuration: z.unknown().optional(),
  netTimeout: z.unknown().optional(),
  forceClean: z.unknown().optional(),
});
const fields = z.object({
  name: z.string().min(1).max(200),
  quality: z.string().max(50).optional(),
  sourceType: z.string().max(50),
  ingestConfig: ingestConfig.optional(),
  transcodeConfig: json.optional(),
  origins: z
    .array(z.object({ streamerId: documentedId, ingestUrl: z.string().max(2_000).optional() }))
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
    reply: ({ createChannel }) => changed(createChannel),
    refusal: ({ failures, ...facts }) => ({
      ...facts,
      ...(Array.isArray(failures) && { failures: (failures as ChannelFailure[]).map(oneFailure) }),
    }),
    status: 201,
  }),

  route('GET', '/channels', {
    document: ChannelsDocument,
    input: z.object({ query: OptionalPagination.extend(workspace.shape) }),
    variables: ({ query }) => ({ ...offsetArguments(query), workspaceId: query.workspaceId ?? null }),
    open: openTo('media:view'),
    reply: ({ channels: found }, { query }) =>
      paginated(found?.edges.map(({ node }) => oneChannel(node)) ?? [], query, found?.totalCount ?? 0),
  }),

  route('GET', '/channels/:id', {
    document: ChannelDocument,
    input: byId,
    variables: ({ params }) => params,
    open: openTo('media:view'),
    reply: ({ channel }) => ({ success: true, data: oneChannel(channel) }),
  }),

  route('PUT', '/channels/:id', {
    document: UpdateChannelDocument,
    input: byId.extend({ body: fields.omit({ sourceType: true }).partial() }),
    variables: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    open: openTo('media:manage'),
    reply: ({ updateChannel }) => changed(updateChannel),
  }),

  route('DELETE', '/channels/:id', {
    document: DeleteChannelDocument,
    input: byId,
    variables: ({ params }) => params,
    open: openTo('media:manage'),
    reply: ({ deleteChannel }) => ({ success: true, data: { id: Number(deleteChannel) } }),
  }),
];
