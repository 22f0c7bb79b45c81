import { demo } from '@foyer/shared/demo';
import { readId, type Id } from '@foyer/shared/ids';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { assignToRailMenu, unassignFromRailMenu } from '../rail-menus/assign-advertising-ticket.ts';
import { createAdvertisingTicket } from '../advertising-tickets/create-advertising-ticket.ts';
import { deleteAdvertisingTicket } from '../advertising-tickets/delete-advertising-ticket.ts';
import {
  listAdvertisingTickets,
  listManagedAdvertisingTickets,
} from '../advertising-tickets/list-advertising-tickets.ts';
import { updateAdvertisingTicket } from '../advertising-tickets/update-advertising-ticket.ts';
import { createCampaign } from '../campaigns/create-campaign.ts';
import { deleteCampaign } from '../campaigns/delete-campaign.ts';
import { listCampaigns } from '../campaigns/list-campaigns.ts';
import { updateCampaign } from '../campaigns/update-campaign.ts';
import { startScratchDatabase } from '../testing/scratch-database.ts';
import { countUnread, listNotifications } from '../notifications/list-notifications.ts';
import type { Context } from '../context.ts';
import { markAllRead, markNotification } from '../notifications/mark-notification.ts';
import { notify } from '../notifications/notify.ts';
import { itemsOf, listRailMenus, railMenusOf } from '../rail-menus/list-rail-menus.ts';
import { seedAdvertising } from './seed-advertising.ts';

const { organizationId, workspaceId } = demo.acme;
const staff = { kind: 'staff', organizationId } as Viewer;
/** Acme's staff, with every permission in Acme's first workspace. */
const permissions: Permissions = {
  onPlatform: async () => new Set(),
  inOrganization: async () => new Set(),
  inWorkspace: async (_viewer, id) => ({
    organizationId,
    permissions: new Set(
      id === workspaceId ? ['advertising:manage', 'campaign:manage', 'campaign:view', 'catalogue:view'] : [],
    ),
  }),
  workspacesWith: async (_viewer, id) => (id === organizationId ? [workspaceId] : []),
};
const clock = { now: () => new Date('2026-12-01T16:30:00Z') };

let scratch: Awaited<ReturnType<typeof startScratchDatabase>>;
let context: Pick<Context, 'db' | 'clock' | 'permissions' | 'mediaDirectory' | 'viewer'>;

beforeAll(async () => {
  scratch = await startScratchDatabase();
  context = { db: scratch.db, clock, permissions, mediaDirectory: { findVisible: async () => null }, viewer: staff };
  for (const [index, slug] of ['museum', 'opera', 'walk'].entries()) {
    await scratch.db.ticketGroup.create({
      data: {
        organizationId,
        workspaceId,
        slug,
        groupNameBm: slug,
        groupNameEn: slug,
        groupNameCn: slug,
        placement: index,
        dailyCapacity: 10,
      },
    });
  }
  await seedAdvertising(context);
  await seedAdvertising(context); // a second start changes nothing
});
afterAll(() => scratch.stop());

const railOf = async (code: string) => {
  const rail = (await listRailMenus(context, organizationId)).find((one) => one.code === code);
  if (!rail) throw new Error(`no rail ${code}`);
  return rail;
};
const cardsIn = async (code: string) =>
  (await itemsOf(context, await railOf(code))).map((card) => ('slug' in card ? card.slug : card.titleEn));

describe('the seeded rails', () => {
  it('merge ticket groups and advertising by placement', async () => {
    expect(await cardsIn('featured')).toEqual([
      'museum',
      'The lounge beside the hall',
      'opera',
      '20% off your coffee',
      'walk',
      'Behind the curtain',
    ]);
  });

  it('are those of one organization, when it is named', async () => {
    expect(await listRailMenus(context, organizationId)).toHaveLength(2);
    expect(await listRailMenus(context, demo.platform.organizationId)).toEqual([]);
    expect(await listRailMenus(context, readId('nonsense'))).toEqual([]);
  });
});

describe('an advertising ticket', () => {
  const input = { advertisementType: 'coupon', titleEn: 'New', placement: 1 };

  it('is made, changed, put into a rail as often as requested, taken out once, and removed', async () => {
    const { advertisingTicketId } = await createAdvertisingTicket(context, { input });
    const id = String(advertisingTicketId);
    const pair = { railMenuId: String((await railOf('this-week')).railMenuId), advertisingTicketId: id };

    await updateAdvertisingTicket(context, { advertisingTicketId: id, input: { ...input, titleEn: 'Newer' } });
    await assignToRailMenu(context, pair);
    await assignToRailMenu(context, pair);
    expect(await railMenusOf(context, advertisingTicketId)).toHaveLength(1);
    expect((await cardsIn('this-week'))[0]).toBe('Newer');

    await unassignFromRailMenu(context, pair);
    await expect(unassignFromRailMenu(context, pair)).rejects.toMatchObject({ reason: 'ASSIGNMENT_NOT_FOUND' });
    await deleteAdvertisingTicket(context, id);
    await expect(deleteAdvertisingTicket(context, id)).rejects.toMatchObject({
      reason: 'ADVERTISING_TICKET_NOT_FOUND',
    });
  });

  it('names its hidden rails to staff who may view them, and to nobody else', async () => {
    const { advertisingTicketId } = await createAdvertisingTicket(context, { input });
    const { railMenuId } = await scratch.db.railMenu.create({
      data: {
        organizationId,
        workspaceId,
        code: 'hidden',
        nameBm: 'Tersembunyi',
        nameEn: 'Hidden',
        nameCn: '隐藏',
        isActive: false,
      },
    });
    await scratch.db.railMenuAdvertisingTicket.create({ data: { railMenuId, advertisingTicketId } });
    const without = { ...permissions, inWorkspace: async () => ({ organizationId, permissions: new Set<string>() }) };

    expect(await railMenusOf(context, advertisingTicketId)).toHaveLength(1);
    expect(await railMenusOf({ ...context, permissions: without }, advertisingTicketId)).toEqual([]);
    expect(await railMenusOf({ ...context, viewer: { kind: 'customer' } as Viewer }, advertisingTicketId)).toEqual([]);
    expect(await railMenusOf({ ...context, viewer: null }, advertisingTicketId)).toEqual([]);
    await deleteAdvertisingTicket(context, String(advertisingTicketId));
  });

  it('is shown from its first day to its last, by the calendar of Malaysia', async () => {
    // In Malaysia the 2nd has begun.
    const days = { activeStartDate: '2026-12-02', activeEndDate: '2026-12-02' };
    await createAdvertisingTicket(context, { input: { ...input, ...days, titleEn: 'Today only' } });
    const over = { activeStartDate: '2026-12-01', activeEndDate: '2026-12-01' };
    await createAdvertisingTicket(context, { input: { ...input, ...over, titleEn: 'Yesterday' } });

    const shown = (await listAdvertisingTickets(context)).map(({ titleEn }) => titleEn);
    const all = (await listManagedAdvertisingTickets(context, true)).map(({ titleEn }) => titleEn);

    expect(shown).toContain('Today only');
    expect(shown).not.toContain('Yesterday');
    expect(all).toContain('Yesterday');
  });

  it('is made for no workspace where its author may not advertise', async () => {
    const attempt = createAdvertisingTicket(context, { input, workspaceId: demo.acme.studioWorkspaceId });

    await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('of another workspace is not found', async () => {
    const { advertisingTicketId } = await scratch.db.advertisingTicket.create({
      data: { organizationId, workspaceId: demo.acme.studioWorkspaceId, advertisementType: 'coupon', isActive: false },
    });

    const attempt = updateAdvertisingTicket(context, { advertisingTicketId: String(advertisingTicketId), input });

    await expect(attempt).rejects.toMatchObject({ reason: 'ADVERTISING_TICKET_NOT_FOUND' });
  });
});

describe('a campaign', () => {
  const input = {
    name: 'Spring',
    targetGroupId: readId('0a0c0000-0000-4000-8000-000000000301'),
    startDate: '2027-03-01T00:00:00Z',
    endDate: '2027-04-01T00:00:00Z',
  };

  it('is made, listed, changed and removed', async () => {
    const { id } = await createCampaign(context, { organizationId, workspaceId, input });

    const updated = await updateCampaign(context, { organizationId, id, input: { ...input, status: 'paused' } });
    const { edges } = await listCampaigns(context, { organizationId, first: 500 });
    await deleteCampaign(context, { organizationId, id });

    expect(updated).toMatchObject({ status: 'paused', targetGroup: { name: 'Families in the Klang Valley' } });
    expect(edges.map(({ node }) => node.name)).toEqual(
      expect.arrayContaining(['Spring', 'School holidays', 'Thank you, friends']),
    );
  });

  it('is listed page by page, each once', async () => {
    const all = await listCampaigns(context, { organizationId });
    const first = await listCampaigns(context, { organizationId, first: 1 });
    const second = await listCampaigns(context, { organizationId, first: 1, after: first.pageInfo.endCursor });

    expect([...first.edges, ...second.edges].map(({ node }) => node.id)).toEqual(all.edges.map(({ node }) => node.id));
    expect(second.pageInfo.hasNextPage).toBe(false);
  });

  it.each([
    ['unknown', organizationId, '0a0c0000-0000-4000-8000-000000000999'],
    ['of another organization', demo.platform.organizationId, '0a0c0000-0000-4000-8000-000000000401'],
    ['of the whole organization, for who runs one workspace', organizationId, '0a0c0000-0000-4000-8000-000000000402'],
    ['no id at all', organizationId, 'nonsense'],
  ])('that is %s gets the documented message', async (_name, organizationId, id) => {
    const words = 'Campaign not found or permission denied';

    await expect(updateCampaign(context, { organizationId, id, input })).rejects.toThrow(words);
    await expect(deleteCampaign(context, { organizationId, id })).rejects.toThrow(words);
  });

  it('takes only a target group of its organization', async () => {
    const { id: targetGroupId } = await scratch.db.targetGroup.create({
      data: { organizationId: demo.platform.organizationId, name: 'Others' },
    });

    const { id } = await createCampaign(context, { organizationId, workspaceId, input });

    const wanted = { organizationId, workspaceId, input: { ...input, targetGroupId } };

    const refusal = { reason: 'TARGET_GROUP_NOT_VALID' };
    await expect(createCampaign(context, wanted)).rejects.toMatchObject(refusal);
    await expect(updateCampaign(context, { ...wanted, id })).rejects.toMatchObject(refusal);
    await deleteCampaign(context, { organizationId, id });
  });
});

describe('a notification', () => {
  const tell = (title: string, about: { organizationId?: Id; workspaceId?: Id } = { organizationId, workspaceId }) =>
    scratch.db.$transaction((tx) =>
      notify(tx, {
        performedBy: 'Siti',
        authorityLevel: 'CUSTOMER',
        type: 'Order',
        title,
        message: 'New order',
        at: new Date('2026-12-01T16:30:00Z'),
        ...about,
      }),
    );
  const titles = async () => (await listNotifications(context, {})).edges.map(({ node }) => node.title);

  it('is listed for viewers who may see it, newest first, until it is removed', async () => {
    await tell('first');
    const { notificationId } = await tell('second');
    await tell('elsewhere', { organizationId, workspaceId: demo.acme.studioWorkspaceId });
    expect(await titles()).toEqual(['second', 'first']);

    const removal = { notificationId: String(notificationId), isDeleted: true };
    await markNotification(context, removal);
    await markNotification(context, removal);

    expect(await titles()).toEqual(['first']);
    await expect(
      markNotification(context, { notificationId: String(notificationId), isRead: true }),
    ).rejects.toMatchObject({
      reason: 'NOTIFICATION_NOT_FOUND',
    });
  });

  it('is counted until someone has read it', async () => {
    await markAllRead(context);
    const { notificationId } = await tell('third');
    expect(await countUnread(context)).toBe('1');

    await markNotification(context, { notificationId: String(notificationId), isRead: true });

    expect(await countUnread(context)).toBe('0');
  });

  it.each([{}, { isRead: false }, { isDeleted: false }, { isRead: false, isDeleted: false }])(
    'can not be marked by %j',
    async (mark) => {
      await expect(markNotification(context, { notificationId: '1', ...mark })).rejects.toMatchObject({
        reason: 'VALIDATION_FAILED',
      });
    },
  );

  it('of another workspace can not be marked', async () => {
    const { notificationId } = await tell('elsewhere', { organizationId, workspaceId: demo.acme.studioWorkspaceId });

    await expect(
      markNotification(context, { notificationId: String(notificationId), isRead: true }),
    ).rejects.toMatchObject({
      reason: 'NOTIFICATION_NOT_FOUND',
    });
  });

  it('of another workspace or organization stays unread when all are marked as read', async () => {
    const others = [
      await tell('elsewhere', { organizationId, workspaceId: demo.acme.studioWorkspaceId }),
      await tell('of others', { organizationId: demo.platform.organizationId }),
    ].map(({ notificationId }) => notificationId);
    const { notificationId } = await tell('mine');

    expect(await markAllRead(context)).toBeGreaterThan(0);

    const read = async (id: bigint) =>
      (await scratch.db.notification.findUniqueOrThrow({ where: { notificationId: id } })).isRead;
    expect(await read(notificationId)).toBe(true);
    for (const id of others) expect(await read(id)).toBe(false);
  });

  it('is refused by the database when its type is not a documented one', async () => {
    await expect(
      scratch.db.$transaction((tx) =>
        notify(tx, {
          performedBy: 'x',
          authorityLevel: 'GUEST',
          type: 'Order',
          title: 't',
          message: 'm',
          at: new Date('2026-12-01T16:30:00Z'),
        }),
      ),
    ).rejects.toThrow();
  });
});
