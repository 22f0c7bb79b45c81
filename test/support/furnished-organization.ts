import { randomInt } from 'node:crypto';

import type { PrismaClient } from '@foyer/prisma/client';

import type { Known } from './example-calls.ts';
import { areThere } from './rows.ts';

/** An organization with one of everything that a root field finds by its number. */
export interface FurnishedOrganization {
  organizationId: string;
  workspaceId: string;
  /** What a call must name to reach it. */
  known: Known;
  /** Puts back what a call has changed or removed. */
  restore(): Promise<void>;
}

const dates = { startDate: new Date('2030-01-01'), endDate: new Date('2030-02-01') };
const names = { nameBm: 'Place', nameEn: 'Place', nameCn: 'Place' };

/** Furnishes a workspace. */
export async function furnish(
  db: PrismaClient,
  organizationId: string,
  workspaceId: string,
): Promise<FurnishedOrganization> {
  const owner = { organizationId, workspaceId };
  const id = randomInt(1_000_000, 2_000_000_000);
  const name = `FurnishedOrganization ${id}`; // an organization may have several places
  const { id: targetGroupId } = await db.targetGroup.create({ data: { organizationId, name } });
  const { id: campaignId } = await db.campaign.create({ data: { ...owner, ...dates, name: 'Place', targetGroupId } });
  const campaign = { ...owner, ...dates, id: campaignId, name: 'Place', targetGroupId };
  const media = {
    ...owner,
    title: 'Place',
    mediaType: 'other',
    mimeType: 'text/plain',
    originalName: 'a.txt',
    fileName: 'a.txt',
    id,
    fileSize: 1n,
    tenant: 'place',
    folder: '',
    storageKey: `place/${id}/a.txt`,
    status: 'ready' as const,
  };
  const channel = {
    ...owner,
    id,
    sid: id,
    name: 'Place',
    sourceType: 'udp' as const,
    streamId: `place-${id}`,
    ingestConfig: {},
    transcodeConfig: {},
  };
  const card = { ...owner, advertisingTicketId: BigInt(id), advertisementType: 'editorial' as const };
  const rail = { ...owner, ...names, railMenuId: BigInt(id), code: `place-${id}` };
  const group = {
    ...owner,
    ticketGroupId: BigInt(id),
    slug: `place-${id}`,
    dailyCapacity: 10,
    groupNameBm: 'Place',
    groupNameEn: 'Place',
    groupNameCn: 'Place',
  };
  const variant = {
    ...names,
    ticketVariantId: BigInt(id),
    ticketGroupId: BigInt(id),
    organizationId,
    itemId: `place-${id}`,
    variant: 'Adult',
    unitPriceSen: 100n,
  };
  const notice = {
    ...owner,
    notificationId: BigInt(id),
    performedBy: 'system',
    authorityLevel: 'system',
    type: 'Report',
    title: 'Place',
    message: 'Place',
    date: '01-01-2030 00:00:00',
  };

  const rows = [
    ['tenancy.workspaces', `id = '${workspaceId}'`],
    ['media.media', `id = ${id}`],
    ['media.channel', `id = ${id}`],
    ['ticketing.target_group', `id = '${targetGroupId}'`],
    ['ticketing.campaign', `id = '${campaignId}'`],
    ['ticketing.advertising_ticket', `advertising_ticket_id = ${id}`],
    ['ticketing.rail_menu', `rail_menu_id = ${id}`],
    ['ticketing.ticket_group', `ticket_group_id = ${id}`],
    ['ticketing.ticket_variant', `ticket_variant_id = ${id}`],
    ['ticketing.notification', `notification_id = ${id} AND NOT is_deleted`],
  ] as const;

  const place: FurnishedOrganization = {
    ...owner,
    known: knownOf({ ...owner, id: String(id), campaignId, targetGroupId }),
    async restore() {
      if (await areThere(db, rows)) return;
      await db.workspace.createMany({
        data: { id: workspaceId, organizationId, name: 'Default' },
        skipDuplicates: true,
      });
      await db.media.createMany({ data: media, skipDuplicates: true });
      await db.channel.createMany({ data: channel, skipDuplicates: true });
      const targets = { id: targetGroupId, organizationId, name };
      await db.targetGroup.createMany({ data: targets, skipDuplicates: true });
      await db.campaign.createMany({ data: campaign, skipDuplicates: true });
      await db.advertisingTicket.createMany({ data: card, skipDuplicates: true });
      await db.railMenu.createMany({ data: rail, skipDuplicates: true });
      await db.ticketGroup.createMany({ data: group, skipDuplicates: true });
      await db.ticketVariant.createMany({ data: variant, skipDuplicates: true });
      await db.notification.createMany({ data: notice, skipDuplicates: true });
      await db.notification.updateMany({ where: { notificationId: BigInt(id) }, data: { isDeleted: false } });
    },
  };
  await place.restore();
  return place;
}

interface Ids {
  organizationId: string;
  workspaceId: string;
  id: string;
  campaignId: string;
  targetGroupId: string;
}

const knownOf = ({ organizationId, workspaceId, id, campaignId, targetGroupId }: Ids): Known => ({
  organizationId,
  workspaceId,
  targetGroupId,
  ...Object.fromEntries(
    ['media', 'processMedia', 'deleteMedia', 'channel', 'updateChannel', 'deleteChannel'].map((of) => [`${of}.id`, id]),
  ),
  ...Object.fromEntries(['updateCampaign', 'deleteCampaign'].map((of) => [`${of}.id`, campaignId])),
  ...Object.fromEntries(['organization', 'setOrganizationStatus'].map((of) => [`${of}.id`, organizationId])),
  ...Object.fromEntries(['updateTargetGroup', 'deleteTargetGroup'].map((of) => [`${of}.id`, targetGroupId])),
  'workspace.id': workspaceId,
  'mediaList.filter': { workspaceId },
  advertisingTicketId: id,
  railMenuId: id,
  ticketGroupId: id,
  ticketVariantId: id,
  notificationId: id,
  'mediaProgress.mediaId': id,
  'originStatusChanged.channelId': id,
  'updateNotification.isRead': true,
  // Of the workspace that names it first.
  'prepareUpload.tenant': `place-${id}`,
});
