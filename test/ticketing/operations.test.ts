import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { logInCustomer } from '../support/fixtures/people.ts';
import { acmeAdmin, ask } from '../support/fixtures/storefront.ts';
import { isSent, paidOrder } from '../support/owed-mail.ts';
import { placeOrder } from '../support/servers/bank.ts';
import { mailsTo } from '../support/servers/inbox.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { until } from '../support/until.ts';

let server: SharedServer;
let db: PrismaClient;
let admin: Awaited<ReturnType<typeof acmeAdmin>>;
let operations: Map<string, string>;

beforeAll(async () => {
  server = await sharedServer();
  db = openDatabase(server.databaseUrl);
  admin = await acmeAdmin(server);
  const text = await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  operations = new Map(
    [...text.matchAll(/^```graphql\n((?:query|mutation) (\w+)[^]*?)^```/gm)].map(([, operation = '', name = '']) => [
      name,
      operation,
    ]),
  );
});
afterAll(() => db.$disconnect());

const run = (name: string, variables: object = {}): Promise<Json> =>
  ask(server, admin, operations.get(name) ?? '', variables);

/** All nodes of a list, page by page, until one is found. */
async function findIn(name: string, isIt: (node: Json) => boolean): Promise<Json> {
  for (let after: string | null = null, more = true; more;) {
    const { edges, pageInfo } = await run(name, { after });
    const found = edges.find(({ node }: Json) => isIt(node));
    if (found) return found.node;
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  return undefined;
}

describe('the operations of docs/operations.md', () => {
  it('list money that is owed, and note that it was sent back', async () => {
    const { orderNo } = await placeOrder(server, await logInCustomer(server));
    await db.orderTicketGroup.update({ where: { orderNo }, data: { reviewReason: 'REFUND_DUE' } });
    const isIt = (node: Json) => node.orderNo === orderNo;

    expect(await findIn('MoneyOwed', isIt)).toMatchObject({ buyerEmail: 'siti@example.test', totalAmount: 90 });
    expect(await run('NoteRefund', { orderNo, note: 'Sent back by hand' })).toEqual({
      bankCurrentStatus: 'REFUNDED',
      reviewResolvedAt: expect.any(String),
    });
    expect(await findIn('MoneyOwed', isIt)).toBeUndefined();
  });

  it('list mails that were given up, and send one again to a corrected address', async () => {
    const [wrong, recipient] = [`wrong-${randomUUID()}@example.test`, `right-${randomUUID()}@example.test`];
    const orderNo = await paidOrder(server, wrong);
    await until('the mail', isSent(db, orderNo));
    await db.delivery.updateMany({
      where: { recipient: wrong },
      data: { state: 'DEAD', lastError: '550 nobody here' },
    });

    const mail = await findIn('MailsGivenUp', (node) => node.recipient === wrong);

    expect(mail).toMatchObject({ kind: 'confirmation', lastError: '550 nobody here', order: { orderNo } });
    expect(await run('SendMailAgain', { deliveryId: mail.deliveryId, recipient })).toEqual({
      state: 'QUEUED',
      recipient,
    });
    await until('the mail', async () => (await mailsTo(server, recipient)).length === 1);
  });
});
