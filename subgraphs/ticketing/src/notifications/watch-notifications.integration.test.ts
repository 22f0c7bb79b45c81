import { newId, type Id } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { cursorOfNotification, listNotifications } from './list-notifications.ts';
import { markNotification } from './mark-notification.ts';
import { notify } from './notify.ts';
import { watchNotifications } from './watch-notifications.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

const acme = newId();
const acmeWorkspace = newId();
const globex = newId();

/** A member of staff of one organization, with every permission in one of its workspaces. */
const staffOf = (organizationId: Id, workspaceId: Id): Context => ({
  ...ticketing.context,
  viewer: { kind: 'staff', organizationId } as Viewer,
  permissions: { ...ticketing.context.permissions, workspacesWith: async () => [workspaceId] },
});

const about = { organizationId: acme, workspaceId: acmeWorkspace };
const tell = (title: string, whom: { organizationId?: Id; workspaceId?: Id } = about) =>
  ticketing.context.db.$transaction((tx) => write(tx, title, whom));
const write = (tx: Parameters<typeof notify>[0], title: string, whom = about as object) =>
  notify(tx, {
    performedBy: 'Siti',
    authorityLevel: 'CUSTOMER',
    type: 'Order',
    title,
    message: 'said',
    at: new Date('2026-12-01T16:30:00Z'),
    ...whom,
  });

type Stream = Awaited<ReturnType<typeof watchNotifications>>;

/** The next `count` titles of a stream. */
async function next(stream: Stream, count: number): Promise<string[]> {
  const titles: string[] = [];
  while (titles.length < count) titles.push((await stream.next()).value.node.title);
  return titles;
}
const newest = async (who: Context) => (await listNotifications(who, { first: 1 })).edges[0]?.cursor ?? null;

describe('notificationAdded', () => {
  it('yields what was missed since a cursor of the list, then what comes, each once and in order', async () => {
    const member = staffOf(acme, acmeWorkspace);
    await tell('known');
    const cursor = await newest(member);
    for (let count = 0; count < 250; count += 1) await tell(`missed ${count}`);

    const stream = await watchNotifications(member, cursor);
    const missed = await next(stream, 250);
    await tell('new');

    expect(missed).toEqual(Array.from({ length: 250 }, (_, count) => `missed ${count}`));
    expect(await next(stream, 1)).toEqual(['new']);
    await stream.return?.();
  });

  it('without a cursor begins now, and continues from the cursor of any of its own', async () => {
    const member = staffOf(acme, acmeWorkspace);
    await tell('before');
    const stream = await watchNotifications(member);
    await tell('one');
    await tell('two');
    const first = (await stream.next()).value;
    await stream.return?.();
    const resumed = await watchNotifications(member, first.cursor);

    expect(first.node.title).toBe('one');
    expect(await next(resumed, 1)).toEqual(['two']);
    await resumed.return?.();
  });

  it('begins with the very first for a reader of an empty list, who has no cursor', async () => {
    const about = { organizationId: newId(), workspaceId: newId() };
    const member = staffOf(about.organizationId, about.workspaceId);
    expect(await newest(member)).toBeNull();
    await tell('the very first', about);
    const stream = await watchNotifications(member, '0');
    await tell('the second', about);

    expect(await next(stream, 2)).toEqual(['the very first', 'the second']);
    await stream.return?.();
  });

  it('begins now with a cursor from the future', async () => {
    const member = staffOf(acme, acmeWorkspace);
    await tell('before');
    const stream = await watchNotifications(member, cursorOfNotification({ position: 2n ** 62n }));
    await tell('after the beginning');

    expect(await next(stream, 1)).toEqual(['after the beginning']);
    await stream.return?.();
  });

  it('misses none whose transaction was slow and committed last', async () => {
    const member = staffOf(acme, acmeWorkspace);
    const stream = await watchNotifications(member, await newest(member));
    const [written, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = ticketing.context.db.$transaction(async (tx) => {
      await write(tx, 'slow');
      written.resolve();
      await release.promise;
    });
    await written.promise;
    await tell('quick');

    expect(await next(stream, 1)).toEqual(['quick']);
    release.resolve();
    await slow;
    expect(await next(stream, 1)).toEqual(['slow']);
    await stream.return?.();
  });

  it('gives every reader the same order, however many write at once', async () => {
    const member = staffOf(acme, acmeWorkspace);
    const cursor = await newest(member);
    const live = await watchNotifications(member, cursor);
    const hearing = next(live, 60);
    await Promise.all(
      Array.from({ length: 60 }, (_, count) =>
        ticketing.context.db.$transaction(
          async (tx) => {
            await write(tx, `at once ${count}`);
            await tx.$queryRaw`SELECT pg_sleep(random() / 50)::text`;
          },
          { maxWait: 30_000, timeout: 30_000 },
        ),
      ),
    );
    const heard = await hearing;
    const later = await watchNotifications(member, cursor);

    expect(new Set(heard).size).toBe(60);
    expect(await next(later, 60)).toEqual(heard);
    expect((await listNotifications(member, { first: 60 })).edges.map(({ node }) => node.title)).toEqual(
      heard.toReversed(),
    );
    await live.return?.();
    await later.return?.();
  });

  it('yields nothing of a transaction that is rolled back', async () => {
    const member = staffOf(acme, acmeWorkspace);
    const stream = await watchNotifications(member, await newest(member));
    const undone = ticketing.context.db.$transaction(async (tx) => {
      await write(tx, 'never');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await tell('after');

    expect(await next(stream, 1)).toEqual(['after']);
    await stream.return?.();
  });

  it('yields nothing of another organization or workspace, and nothing that was removed meanwhile', async () => {
    const [member, stranger, colleague] = [
      staffOf(acme, acmeWorkspace),
      staffOf(globex, newId()),
      staffOf(acme, newId()),
    ];
    const [cursor, foreign, other] = [
      await newest(member),
      await watchNotifications(stranger),
      await watchNotifications(colleague),
    ];
    const { notificationId } = await tell('removed');
    await markNotification(member, { notificationId: String(notificationId), isDeleted: true });
    await tell('seen by its workspace');
    await tell('seen by all of the organization', { organizationId: acme });
    await tell('seen by the stranger', { organizationId: globex });

    expect(await next(foreign, 1)).toEqual(['seen by the stranger']);
    expect(await next(other, 1)).toEqual(['seen by all of the organization']);
    const own = await watchNotifications(member, cursor);
    expect(await next(own, 2)).toEqual(['seen by its workspace', 'seen by all of the organization']);
    for (const stream of [foreign, other, own]) await stream.return?.();
  });

  it('refuses customers, viewers who are not logged in, and foreign cursors', async () => {
    const customer = {
      ...ticketing.context,
      viewer: { issuedAt: 0, kind: 'customer', custId: newId(), expiresAt: 0 } as Viewer,
    };
    await expect(watchNotifications(customer)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(watchNotifications(ticketing.context)).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    await expect(watchNotifications(staffOf(acme, acmeWorkspace), 'nonsense')).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
    });
  });
});
