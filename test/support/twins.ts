import type { PrismaClient } from '@foyer/prisma/client';

import { belongingsOf, type Belongings, type Thing } from './fixtures/belongings.ts';
import { belongsTo } from './belongs-to.ts';
import type { Server } from './servers/server-process.ts';
import type { IdPlace } from './tables/id-places.ts';
import { createOrganization } from './fixtures/organization.ts';
import { furnish } from './fixtures/furnished-organization.ts';
import { UNUSED_ID } from './unused-id.ts';

/** One of two organizations with equal records: one is called with the ids as they are, the other with other spellings. */
export interface Twin {
  server: Server;
  /** Records of no organization: a shared ladder, and a streamer that others don't use. */
  shared: { ladder: string; streamer: string };
  belongings: Belongings;
  /** Restores the records that a call has changed or removed, except the organization. */
  restore(): Promise<void>;
  headers: Record<string, string>;
}

/** An organization whose owner is also an owner of the platform. */
export async function openTwin(server: Server, db: PrismaClient): Promise<Twin> {
  const { id, companyCode, workspaceId, admin } = await createOrganization(server);
  const owner = { role: 'ORG_OWNER', roleId: 'ORG_OWNER' };
  await db.organizationMember.updateMany({ where: { userId: admin.id }, data: owner });
  await db.platformMember.create({ data: { userId: admin.id, roleId: 'PLATFORM_OWNER' } });
  const belongings = await belongingsOf(db, await furnish(db, id, workspaceId), admin.id);
  const isThere = async () => (await db.organization.count({ where: { id } })) > 0;
  const ladder = await db.transcodingProfile.findFirstOrThrow({ orderBy: { id: 'asc' } });
  const { id: _, ...embedded } = await db.streamer.findFirstOrThrow({ orderBy: { id: 'asc' } });
  const streamer = await db.streamer.create({ data: { ...embedded, name: `Of ${companyCode}` } });
  const shared = { ladder: String(ladder.id), streamer: String(streamer.id) };
  return {
    server,
    shared,
    belongings,
    headers: admin.headers,
    async restore() {
      if (!(await isThere())) return;
      await belongings.restore();
      // A channel that a call has created keeps the streamer in use, also while its streams are still being ended.
      await db.channelOrigin.deleteMany({ where: { streamerId: streamer.id } });
      await db.streamer.createMany({ data: streamer, skipDuplicates: true });
    },
  };
}

const byLeaf: Readonly<Record<string, Thing>> = {
  organizationId: 'organization',
  workspaceId: 'workspace',
  userId: 'user',
  teamId: 'team',
  roleId: 'workspace role',
  profileId: 'e-mail profile',
  custId: 'customer',
  ticketGroupId: 'ticket group',
  targetGroupId: 'target group',
  channelId: 'channel',
  mediaId: 'media',
};

const byField: Readonly<Record<string, Thing>> = {
  user: 'user',
  authOrganization: 'organization',
  organization: 'organization',
  workspace: 'workspace',
  media: 'media',
  channel: 'channel',
  setCustomerDisabled: 'customer',
};

/** Values for places whose records belong to no organization. */
function commonId(name: string, leaf: string, { shared }: Twin): string {
  if (leaf === 'appIds') return 'ticketing';
  if (leaf === 'transcodingProfileId') return shared.ladder;
  if (leaf === 'streamerId' || /streamer/i.test(name)) return shared.streamer;
  return UNUSED_ID; // of a node, an event or an order
}

/** The id of a twin for a place that takes an id. */
export function idFor({ name, path }: IdPlace, twin: Twin): string {
  const { ids } = twin.belongings;
  const leaf = path.at(-1) ?? '';
  const thing = belongsTo.get([name, ...path].join('.')) as Thing | undefined;
  if (thing && thing in ids) return ids[thing];
  const other = (leaf === 'id' && byField[name]) || byLeaf[leaf];
  return other ? ids[other] : commonId(name, leaf, twin);
}
