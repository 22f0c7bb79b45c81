import { z } from 'zod';

import type { StreamerPartsFragment } from '../generated/operations.ts';

const Status = z.enum(['unknown', 'online', 'offline']);

/** A streamer, cache or load balancer. */
export const Node = z
  .object({
    id: z.int(),
    name: z.string(),
    host: z.string(),
    httpPort: z.int(),
    apiPort: z.int(),
    status: Status,
    lastPingedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Node' });

/** All kinds of nodes have the same fields. */
export type NodeParts = StreamerPartsFragment;

export const oneNode = (node: NodeParts): z.input<typeof Node> => ({ ...node, id: Number(node.id) });

export const Ping = z.object({ status: Status, pingedAt: z.iso.datetime() }).meta({ id: 'Ping' });
