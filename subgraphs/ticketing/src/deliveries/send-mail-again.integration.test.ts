import { messageIdOf, MailRefused, type Mail } from '@foyer/shared/mail/mailer';
import { newId, type Id } from '@foyer/shared/ids';
import type { Staff } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { createFreeOrder } from '../checkout/create-order.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { createGuest, createTicketGroupOnSale, nextWeek } from '../testing/storefront-fixture.ts';
import { listMails } from './list-mails.ts';
import { sendConfirmation } from './send-confirmation.ts';
import { sendMailAgain } from './send-mail-again.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

const staffOf = (organizationId: Id, workspaceId: Id): Context => ({
  ...ticketing.context,
  viewer: { kind: 'staff', userId: 'clerk', organizationId } as Staff,
  permissions: {
    ...ticketing.context.permissions,
    inWorkspace: async () => ({ organizationId, permissions: new Set(['orders:manage']) }),
    workspacesWith: async () => [workspaceId],
  },
});

const refusing = {
  send: async () => {
    throw new MailRefused('550 5.1.1 no such mailbox', { cause: null });
  },
};

/** A free order whose mail the mail server has refused, and the staff of its workspace. */
async function aDeadMail() {
  const { context } = ticketing;
  const { db } = context;
  const { ticketGroupId, itemId } = await createTicketGroupOnSale(db, { dailyCapacity: 10, unitPriceSen: 0n });
  const order = await createFreeOrder(context, {
    input: {
      ticketGroupId,
      custId: await createGuest(db),
      admitDate: nextWeek(),
      buyerName: 'Siti',
      buyerEmail: 'siti@exmaple.my',
      items: [{ itemId, quantityBought: 1 }],
    },
  });
  const { orderTicketGroupId, organizationId, workspaceId } = order;
  const { deliveryId } = await db.delivery.findFirstOrThrow({ where: { orderTicketGroupId } });
  const data = { deliveryId: String(deliveryId) };
  await db.$executeRaw`DELETE FROM pgboss.job WHERE data->>'deliveryId' = ${data.deliveryId}`;
  await sendConfirmation({ ...context, mailer: refusing }, data, { last: false });
  const jobs = async () =>
    (await db.$queryRaw<unknown[]>`SELECT 1 FROM pgboss.job WHERE data->>'deliveryId' = ${data.deliveryId}`).length;
  return { order, data, jobs, staff: staffOf(organizationId, workspaceId) };
}

describe('a mail that was given up', () => {
  it('is listed with what the mail server said, for the staff of its workspace and nobody else', async () => {
    const { order, data, staff } = await aDeadMail();

    const { edges } = await listMails(staff, { state: 'DEAD' });

    expect(edges.map(({ node }) => node)).toMatchObject([
      {
        deliveryId: BigInt(data.deliveryId),
        recipient: 'siti@exmaple.my',
        attempts: 1,
        lastError: '550 5.1.1 no such mailbox',
        order: { orderNo: order.orderNo },
      },
    ]);
    expect((await listMails(staff, { state: 'SENT' })).edges).toEqual([]);
    expect((await listMails(staffOf(newId(), order.workspaceId), { state: 'DEAD' })).edges).toEqual([]);
  });

  it('is sent once, when a button is clicked twice or several people send it', async () => {
    const { order, data, jobs, staff } = await aDeadMail();

    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        sendMailAgain(staff, data).then(
          ({ state }) => state,
          (error: { reason: string }) => error.reason,
        ),
      ),
    );
    const sent: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void sent.push(mail) };
    await Promise.all([1, 2].map(() => sendConfirmation({ ...ticketing.context, mailer }, data, { last: false })));

    expect(answers.toSorted()).toEqual(['MAIL_NOT_DEAD', 'MAIL_NOT_DEAD', 'MAIL_NOT_DEAD', 'MAIL_NOT_DEAD', 'QUEUED']);
    expect(await jobs()).toBe(1);
    expect(sent.map(({ to }) => to)).toEqual(['siti@exmaple.my']);
    await expect(sendMailAgain(staff, data)).rejects.toMatchObject({ reason: 'MAIL_NOT_DEAD' });
    const logs = await ticketing.context.db.orderTicketLog.findMany({
      where: { orderTicketGroupId: order.orderTicketGroupId, type: 'email' },
    });
    expect(logs.filter(({ title }) => title === 'Mail sent again')).toMatchObject([{ performedBy: 'staff clerk' }]);
  });

  it('goes to a corrected address, which the order keeps', async () => {
    const { order, data, staff } = await aDeadMail();

    await sendMailAgain(staff, { ...data, recipient: ' siti@example.my ' });
    const sent: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void sent.push(mail) };
    await sendConfirmation({ ...ticketing.context, mailer }, data, { last: false });

    const { orderNo } = order;
    const messageId = messageIdOf(`confirm.${orderNo}`, ticketing.context.settings.mailFrom);
    expect(sent).toMatchObject([{ to: 'siti@example.my', messageId }]);
    const now = await ticketing.context.db.orderTicketGroup.findUniqueOrThrow({
      where: { orderNo },
      include: { logs: true },
    });
    expect([now.buyerEmail, now.isEmailSent]).toEqual(['siti@example.my', true]);
    expect(now.logs.map(({ message }) => message)).toContain(
      'The mail for siti@exmaple.my is sent to siti@example.my instead.',
    );
  });

  it('stays as it is when the address is none, or for staff of another workspace', async () => {
    const { order, data, jobs, staff } = await aDeadMail();
    const stranger = staffOf(newId(), order.workspaceId);

    await expect(sendMailAgain(staff, { ...data, recipient: 'siti' })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
    });
    await expect(sendMailAgain(stranger, data)).rejects.toMatchObject({ reason: 'MAIL_NOT_FOUND' });
    await expect(sendMailAgain(staff, { deliveryId: 'x' })).rejects.toMatchObject({ reason: 'MAIL_NOT_FOUND' });
    expect(await jobs()).toBe(0);
  });
});
