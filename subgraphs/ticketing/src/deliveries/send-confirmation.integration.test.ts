import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openJobs, type JobQueue } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { smtpMailer } from '@foyer/shared/mail/smtp-mailer';
import { startInbox, type Inbox } from '../simulators/inbox.ts';
import { startScratchDatabase } from '../testing/scratch-database.ts';
import { createGuest, createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { openReceiptPrinter } from '../receipts/pdf/receipt-printer.ts';
import { issueTickets } from '../tickets/issue-tickets.ts';
import { openTicketSigner } from '../ticket-codes/ticket-signer.ts';
import { queueConfirmations } from './queue-confirmation.ts';
import { sendConfirmation, sendConfirmationJob, confirmationWorker } from './send-confirmation.ts';

const mailFrom = 'Foyer <tickets@foyer.test>';
const receiptPrinter = openReceiptPrinter();
const ticketSigner = openTicketSigner(generateKeyPairSync('ed25519').privateKey);

let scratch: Awaited<ReturnType<typeof startScratchDatabase>>;
let folder: string;
let inbox: Inbox;
let jobs: JobQueue;
let services: Parameters<typeof confirmationWorker>[0] & { mailer: ReturnType<typeof smtpMailer> };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-inbox-'));
  [scratch, inbox] = await Promise.all([startScratchDatabase(), startInbox({ folder })]);
  jobs = await openJobs({ databaseUrl: scratch.url, log: openLog('silent') });
  services = {
    db: scratch.db,
    clock: { now: () => new Date('2026-12-01T16:30:00Z') },
    mailer: smtpMailer({ url: inbox.smtpUrl, from: mailFrom }),
    receiptPrinter,
    settings: {
      publicUrl: 'https://foyer.example',
      holdMinutes: 15,
      openOrdersPerBuyer: null,
      openOrdersPerAddress: null,
      pendingMinutes: 30,
      pendingCorporateHours: 72,
      requerySeconds: [120],
      decryptEnabled: false,
      mailFrom,
    },
  };
  await jobs.register([confirmationWorker(services)]);
});

afterAll(async () => {
  services.mailer.close();
  await jobs.stop(5_000);
  await Promise.all([receiptPrinter.stop(), inbox.stop(), scratch.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** A free order of one single ticket and a line of two, as it is a moment before its tickets are made. */
async function anOrder(buyerEmail: string) {
  const { db } = scratch;
  const { itemId } = await createTicketGroupOnSale(db, { dailyCapacity: 10, unitPriceSen: 0n });
  const variant = await db.ticketVariant.findFirstOrThrow({ where: { itemId }, include: { ticketGroup: true } });
  const { ticketVariantId, ticketGroup } = variant;
  const admitDate = new Date('2026-12-24T00:00:00Z');
  const names = { itemDesc1: 'Dewasa', itemDesc2: 'Adult', itemDesc3: '成人', variant: 'Adult' };
  const item = { ...names, ticketVariantId, itemId, unitPriceSen: 0n, admitDate };
  return db.orderTicketGroup.create({
    data: {
      ticketGroupId: ticketGroup.ticketGroupId,
      organizationId: ticketGroup.organizationId,
      workspaceId: ticketGroup.workspaceId,
      custId: await createGuest(db),
      langChosen: 'en',
      transactionId: randomUUID(),
      orderNo: `ORD-${randomUUID().toUpperCase()}`,
      billId: randomUUID(),
      productId: 'TG1',
      transactionStatus: 'FREE',
      totalAmountSen: 0n,
      quantity: 3,
      buyerName: 'Siti',
      buyerEmail,
      admitDate,
      items: {
        create: [
          { ...item, quantityBought: 1 },
          { ...item, quantityBought: 2 },
        ],
      },
    },
  });
}

const confirm = (orderTicketGroupId: bigint) =>
  scratch.db.$transaction(async (tx) => {
    await issueTickets({ ticketSigner }, tx, [orderTicketGroupId]);
    await queueConfirmations({ jobs }, tx, [orderTicketGroupId]);
  });

async function owedMail(buyerEmail: string) {
  const order = await anOrder(buyerEmail);
  await confirm(order.orderTicketGroupId);
  const delivery = await scratch.db.delivery.findFirstOrThrow({
    where: { orderTicketGroupId: order.orderTicketGroupId },
  });
  return { order, data: { deliveryId: String(delivery.deliveryId) } };
}

const stateOf = async ({ deliveryId }: { deliveryId: string }) =>
  scratch.db.delivery.findUniqueOrThrow({
    where: { deliveryId: BigInt(deliveryId) },
    include: { order: { include: { logs: true } } },
  });

interface Received {
  subject: string;
  messageId: string;
  to: { address: string }[];
  attachments: { contentType: string }[];
}
const mailsTo = async (address: string) =>
  ((await (await fetch(new URL('email', inbox.webUrl))).json()) as Received[]).filter(
    ({ to }) => to[0]?.address === address,
  );

describe('tickets of an order', () => {
  it('are one per admission, each with a code of its own that verifies', async () => {
    const { order } = await owedMail('one@example.my');

    const tickets = await scratch.db.ticket.findMany({ where: { orderTicketGroupId: order.orderTicketGroupId } });
    const items = await scratch.db.orderTicketInfo.findMany({
      where: { orderTicketGroupId: order.orderTicketGroupId },
    });

    expect(tickets).toHaveLength(3);
    for (const { code, ticketId, serial } of tickets) {
      expect(ticketSigner.read(code)).toMatchObject({ kind: 'admission', id: ticketId, serial });
    }
    expect(items.find(({ quantityBought }) => quantityBought === 1)?.encryptedId).toBe(
      tickets.find(({ orderTicketInfoId }) => orderTicketInfoId === items[0]?.orderTicketInfoId)?.code,
    );
    const line = items.find(({ quantityBought }) => quantityBought === 2);
    expect(ticketSigner.read(line?.encryptedId ?? '')).toMatchObject({
      kind: 'line',
      id: line?.orderTicketInfoId,
      serial: 2,
    });
  });

  it('stay the same when they are requested again', async () => {
    const { order } = await owedMail('again@example.my');
    const where = { orderTicketGroupId: order.orderTicketGroupId };
    const before = await scratch.db.ticket.findMany({ where, orderBy: { ticketId: 'asc' } });

    await confirm(order.orderTicketGroupId);

    expect(await scratch.db.ticket.findMany({ where, orderBy: { ticketId: 'asc' } })).toEqual(before);
    expect(await scratch.db.delivery.count({ where })).toBe(1);
  });
});

describe('a confirmation', () => {
  it('carries the PDF, and is recorded as sent', async () => {
    const { order, data } = await owedMail('siti@example.my');

    await sendConfirmation(services, data, { last: false });

    await expect
      .poll(() => mailsTo('siti@example.my'))
      .toMatchObject([
        {
          subject: 'Your tickets: Museum, Thursday, 24 December 2026',
          messageId: `confirm.${order.orderNo}@foyer.test`,
          attachments: [{ contentType: 'application/pdf' }, { contentType: 'text/calendar' }],
        },
      ]);
    expect(await stateOf(data)).toMatchObject({
      state: 'SENT',
      sentAt: new Date('2026-12-01T16:30:00Z'),
      order: { isEmailSent: true, logs: [{ type: 'email', title: 'Email Sent' }] },
    });
  });

  it('is not sent twice', async () => {
    const { data } = await owedMail('twice@example.my');

    await sendConfirmation(services, data, { last: false });
    await sendConfirmation(services, data, { last: false });

    await expect.poll(() => mailsTo('twice@example.my')).toHaveLength(1);
    expect((await stateOf(data)).order.logs).toHaveLength(1);
  });

  it('is sent once when two processes try at the same moment', async () => {
    const { data } = await owedMail('race@example.my');

    await Promise.all(Array.from({ length: 6 }, () => sendConfirmation(services, data, { last: false })));

    await expect.poll(() => mailsTo('race@example.my')).toHaveLength(1);
    expect(await stateOf(data)).toMatchObject({ attempts: 1, order: { logs: [{ title: 'Email Sent' }] } });
  });

  it('is tried again when the mail server refuses it for now', async () => {
    const { data } = await owedMail('siti@later.test');

    await expect(sendConfirmation(services, data, { last: false })).rejects.toThrow('Try again later');

    expect(await stateOf(data)).toMatchObject({ state: 'QUEUED', attempts: 1, order: { isEmailSent: false } });
  });

  it.each([
    ['the recipient is refused', 'nobody@refused.test', false],
    ['a day of trying is over', 'siti@later.test', true],
  ])('is given up when %s, and staff is notified', async (_why, address, last) => {
    const { order, data } = await owedMail(address);

    await sendConfirmation(services, data, { last });

    expect(await stateOf(data)).toMatchObject({
      state: 'DEAD',
      order: { isEmailSent: false, logs: [{ type: 'email' }] },
    });
    const told = await scratch.db.notification.findMany({ where: { workspaceId: order.workspaceId } });
    expect(told).toMatchObject([{ type: 'Order', title: 'Email Not Delivered', date: '02-12-2026 00:30:00' }]);
  });

  it('is not requested when the order fails', async () => {
    const order = await anOrder('never@example.my');

    const undone = scratch.db.$transaction(async (tx) => {
      await queueConfirmations({ jobs }, tx, [order.orderTicketGroupId]);
      throw new Error('undone');
    });

    await expect(undone).rejects.toThrow('undone');
    expect(await scratch.db.delivery.count({ where: { orderTicketGroupId: order.orderTicketGroupId } })).toBe(0);
  });

  it('is sent by the job that was enqueued with the order', async () => {
    const { data } = await owedMail('job@example.my');

    await jobs.work();

    await expect.poll(async () => (await stateOf(data)).state).toBe('SENT');
    expect(sendConfirmationJob.name).toBe('ticketing.send-confirmation');
  });
});
