import { z } from 'zod';

import {
  CreateStreamerDocument,
  DeleteStreamerDocument,
  PingStreamerDocument,
  StreamerDocument,
  StreamersDocument,
  UpdateStreamerDocument,
  type StreamerPartsFragment,
} from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { paginated, Pagination } from '../pagination.ts';
import { present } from '../refusals.ts';
import { route } from '../route.ts';

const one = (streamer: StreamerPartsFragment) => ({ ...streamer, id: Number(streamer.id) });
const openTo =
  (...permissions: string[]) =>
  () => ({ permissions });

const port = z.int().min(1).max(65_535);
const body = z.object({
  name: z.string().min(1).max(200),
  host: z.string().min(1).max(253),
  httpPort: port,
  apiPort: port,
});
const params = z.object({ id: documentedId });

/** Spec 3, "Streamer nodes (prefix /streamers)". The proxy is a route of the media subgraph: it carries bytes. */
export const streamers = [
  route('POST', '/streamers', {
    document: CreateStreamerDocument,
    input: z.object({ body }),
    variables: (input) => ({ input: input.body }),
    open: openTo('device:manage'),
    reply: ({ createStreamer }) => ({ success: true, data: one(present(createStreamer, 'streamer')) }),
    status: 201,
  }),

  route('GET', '/streamers', {
    document: StreamersDocument,
    input: z.object({ query: Pagination }),
    variables: ({ query: { page, limit } }) => ({ first: limit, offset: (page - 1) * limit }),
    open: openTo('device:view'),
    reply: ({ streamers: found }, { query }) =>
      paginated(found?.edges.map(({ node }) => one(node)) ?? [], query, found?.totalCount ?? 0),
  }),

  route('GET', '/streamers/:id', {
    document: StreamerDocument,
    input: z.object({ params }),
    variables: (input) => input.params,
    open: openTo('device:view'),
    reply: ({ streamer }) => ({ success: true, data: one(present(streamer, 'streamer')) }),
  }),

  route('PUT', '/streamers/:id', {
    document: UpdateStreamerDocument,
    input: z.object({ params, body: body.partial() }),
    variables: (input) => ({ input: { id: input.params.id, ...input.body } }),
    open: openTo('device:manage'),
    reply: ({ updateStreamer }) => ({ success: true, data: one(present(updateStreamer, 'streamer')) }),
  }),

  route('DELETE', '/streamers/:id', {
    document: DeleteStreamerDocument,
    input: z.object({ params }),
    variables: (input) => input.params,
    open: openTo('device:manage'),
    reply: ({ deleteStreamer }) => ({ success: true, data: { id: Number(deleteStreamer) } }),
  }),

  route('POST', '/streamers/:id/ping', {
    document: PingStreamerDocument,
    input: z.object({ params }),
    variables: (input) => input.params,
    open: openTo('device:manage'),
    reply: ({ pingStreamer }) => ({ success: true, data: pingStreamer }),
  }),
];
