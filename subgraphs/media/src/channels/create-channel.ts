import type { Prisma } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';
import type { AddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import { rowId, type GivenId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { permitMedia } from '../media/permit-media.ts';
import { checkChannel, playbackUrlOf, sourceTypeOf, streamIdOf, type OriginPlan } from './channel.ts';
import { removeChannel } from './delete-channel.ts';
import { orderStream } from './order-stream.ts';
import { checkExists } from './permit-channel.ts';
import { noOriginWorks, streamerMissing, unknownSourceType, type OriginFailure } from './refusals.ts';

type Needs = Pick<
  Context,
  | 'viewer'
  | 'permissions'
  | 'db'
  | 'streamer'
  | 'clock'
  | 'log'
  | 'jobs'
  | 'playbackUrl'
  | 'nodeAddresses'
  | 'originPollMs'
>;

interface Input {
  workspaceId?: GivenId | null | undefined;
  name: string;
  quality?: string | null | undefined;
  sourceType: string;
  ingestConfig?: Record<string, unknown> | null | undefined;
  transcodeConfig?: Record<string, unknown> | null | undefined;
  origins: readonly { streamerId: string; ingestUrl?: string | null | undefined }[];
}

/**
 * Creates a channel and its stream on the streamer of every origin.
 *
 * @returns the channel, and why some of its origins do not stream, or not with its settings
 * @throws {Refusal} `ALL_ORIGINS_FAILED` when none does; then the channel is not created
 */
export async function createChannel(needs: Needs, input: Input) {
  const permit = await permitMedia(needs, input.workspaceId, 'media:manage');
  const plan = planOf(input, needs.nodeAddresses);
  const streamId = streamIdOf(plan.name) ?? '';
  const { known, missing } = await lookUpStreamers(needs.db, plan.origins);

  const { origins, ...channel } = await needs.db.channel.create({
    data: {
      ...permit,
      name: plan.name,
      quality: plan.quality,
      sourceType: plan.sourceType,
      sourceLabel: plan.sourceLabel,
      ingestConfig: plan.ingestConfig as Prisma.InputJsonObject,
      transcodeConfig: plan.transcodeConfig as Prisma.InputJsonObject,
      streamId,
      // Recorded before the streams are created: a crash in between leaves them pending, not unknown.
      origins: {
        create: known.map(({ node, ingestUrl }) => ({
          streamerId: node.id,
          ingestUrl,
          streamId,
          playbackUrl: playbackUrlOf(needs.playbackUrl, node, streamId),
        })),
      },
    },
    include: { origins: { include: { streamer: true } } },
  });

  const begun = performance.now();
  const outcomes = await Promise.all(origins.map((origin) => orderStream(needs, channel, origin)));
  const failures = [...missing.map(streamerMissing), ...outcomes.filter((outcome) => outcome !== null)];
  if (outcomes.every(doesNotStream)) {
    // A check may have ordered again what had failed here.
    const wereChecked = performance.now() - begun >= needs.originPollMs;
    const uncertain = origins.filter((_origin, index) => wereChecked || mayHaveStarted(outcomes[index]));
    await removeChannel(needs, { ...channel, origins: uncertain });
    throw noOriginWorks(failures);
  }
  await checkExists(needs, channel.id);
  return { channel, failures };
}

const doesNotStream = (outcome: OriginFailure | null) => outcome !== null && outcome.code !== 'STREAM_SHARED';

/** A node that received the request but did not answer may have created the stream. */
const mayHaveStarted = (outcome: OriginFailure | null | undefined) =>
  outcome?.code === 'NODE_TIMEOUT' || outcome?.code === 'NODE_BROKE_OFF';

function planOf(input: Input, addresses: AddressPolicy) {
  const sourceLabel = input.sourceType.trim();
  const sourceType = sourceTypeOf(sourceLabel);
  if (!sourceType) throw unknownSourceType();
  const plan = {
    name: input.name.trim(),
    sourceLabel,
    sourceType,
    quality: input.quality ?? null,
    ingestConfig: input.ingestConfig ?? {},
    transcodeConfig: input.transcodeConfig ?? {},
    origins: input.origins.map(({ streamerId, ingestUrl }) => ({ streamerId, ingestUrl: ingestUrl ?? null })),
  };
  checkChannel(plan, addresses);
  return plan;
}

/** Finds the nodes of origins, and the streamer ids without a node. */
export async function lookUpStreamers(db: Pick<MediaTransaction, 'streamer'>, origins: readonly OriginPlan[]) {
  const nodes = await db.streamer.findMany({
    where: { id: { in: origins.map(({ streamerId }) => rowId(streamerId)) } },
  });
  const found = origins.map(({ streamerId, ingestUrl }) => ({
    streamerId,
    ingestUrl,
    node: nodes.find(({ id }) => id === rowId(streamerId)),
  }));
  return {
    known: found.flatMap(({ node, ingestUrl }) => (node ? [{ node, ingestUrl }] : [])),
    missing: found.filter(({ node }) => !node).map(({ streamerId }) => streamerId),
  };
}
