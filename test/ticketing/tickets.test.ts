import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '@foyer/prisma/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { payAtTheBank } from '../support/servers/bank.ts';
import { variablesBeside } from '../support/second-server.ts';
import { closeServer, startServer, type HostedServer } from '../support/servers/hosted-server.ts';
import type { Server } from '../support/servers/server-process.ts';
import { qrCodesIn, textIn } from '../support/pdf.ts';
import { send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { acmeAdmin, aGuest, ask, day, nobody, onSale, order, orderInput } from '../support/fixtures/storefront.ts';

const root = join(import.meta.dirname, '../..');
const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

const TICKETS = `query ($orderNo: String!) { order(orderNo: $orderNo, email: "guest@example.test") {
  orderTicketGroupId transactionId items { encryptedId quantityBought } tickets { code serial admitDate } } }`;

/** A paid order with so many tickets per line. */
async function paidOrder(quantityBought: number, differently: object = {}, foyer: Server = server) {
  const offer = await onSale(foyer, await acmeAdmin(foyer));
  const items = [{ itemId: offer.itemId, quantityBought }];
  const placed = await order(foyer, orderInput(offer, await aGuest(foyer), { items, ...differently }));
  const { orderNo } = placed.json as { orderNo: string };
  await payAtTheBank(foyer, orderNo);
  return { orderNo, ...(await ask(foyer, nobody, TICKETS, { orderNo })) };
}

/** The command, as `pnpm tickets:verify` runs it. */
async function verify(args: string[], { url }: Server = server) {
  const child = spawn(join(root, 'node_modules/.bin/node'), ['subgraphs/ticketing/src/ticket-codes/cli.ts', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', PUBLIC_URL: url },
  });
  let [said, complained] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
  const [exit] = (await once(child, 'close')) as [number];
  return { exit, said: said.trim(), complained: complained.trim() };
}

const receipt = (orderNo: string) => fetch(new URL(`/pdf/receipt?orderNo=${orderNo}`, server.url));
const publishedKeys = async () => (await fetch(new URL('/.well-known/ticket-keys.json', server.url))).text();

describe('the tickets of an order', () => {
  it('have one code per admission; the QR codes of the PDF are the same', async () => {
    const { orderNo, tickets } = await paidOrder(3);
    const pdf = new Uint8Array(await (await receipt(orderNo)).arrayBuffer());

    const codes = tickets.map(({ code }: { code: string }) => code);
    expect(new Set(codes).size).toBe(3);
    expect((await qrCodesIn(pdf)).toSorted()).toEqual(codes.toSorted());
  });

  it('are the code of a line with one admission, and a line with more has a code of its own besides', async () => {
    const [one, more] = [await paidOrder(1), await paidOrder(2)];

    expect(one.items[0].encryptedId).toBe(one.tickets[0].code);
    const line = await verify([more.items[0].encryptedId, '--json']);
    expect(JSON.parse(line.said)).toMatchObject({ result: 'good', kind: 'line', quantity: 2, admitDate: day(7) });
  });

  it('are hidden, with the names, from a caller who counts order numbers up', async () => {
    const { orderTicketGroupId, items } = await paidOrder(1);
    const found = await send(server, 'GET', `/api/orderTicketGroup?orderTicketGroupId=${orderTicketGroupId}`);

    expect(found.status).toBe(200);
    expect(found.text).not.toContain('T1:');
    for (const secret of [items[0].encryptedId, 'guest@example.test', 'Guest Tan']) {
      expect(found.text).not.toContain(secret);
    }
    expect(found.text).toContain('g***@example.test');
  });
});

describe('the fields of an order for a stranger, as in docs/security.md (REST_AUTH=documented)', () => {
  it('are, by its number, all but the buyer, the codes and the log, each of its documented type', async () => {
    const offer = await onSale(server, await acmeAdmin(server));
    const items = [{ itemId: offer.itemId, quantityBought: 2 }];
    const { json: placed } = await order(server, orderInput(offer, await aGuest(server), { items }));
    await payAtTheBank(server, placed.orderNo);
    const { orderTicketGroupId, items: bought } = await ask(server, nobody, TICKETS, { orderNo: placed.orderNo });

    const names = { orderNo: placed.orderNo, transactionId: placed.transactionId, orderTicketGroupId };
    const seen = await Promise.all(
      Object.entries(names).map(async ([name, value]) => {
        const { status, json } = await send(server, 'GET', `/api/orderTicketGroup?${name}=${value}`);
        expect([name, status]).toEqual([name, 200]);
        return json;
      }),
    );
    const [first] = seen;
    expect(first).toEqual({
      orderTicketGroupId: Number(orderTicketGroupId),
      orderNo: placed.orderNo,
      transactionId: placed.transactionId,
      transactionStatus: 'SUCCESS',
      bankCurrentStatus: expect.any(String),
      totalAmount: 90,
      buyerName: 'G***',
      buyerEmail: 'g***@example.test',
      custId: '',
      admitDate: day(7),
      createdAt: expect.any(String),
      langChosen: 'EN',
      ticketGroupId: Number(offer.ticketGroupId),
      isEmailSent: expect.any(Boolean),
      items: [
        {
          orderTicketInfoId: expect.any(Number),
          orderTicketGroupId: Number(orderTicketGroupId),
          itemId: offer.itemId,
          unitPrice: 45,
          itemDesc1: 'Dewasa',
          itemDesc2: 'Adult',
          itemDesc3: '成人',
          variant: 'Adult',
          quantityBought: 2,
          admitDate: day(7),
          encryptedId: '',
        },
      ],
      logs: [],
    });
    for (const other of seen) expect({ ...other, isEmailSent: true }).toEqual({ ...first, isEmailSent: true });
    expect(bought[0].encryptedId).not.toBe('');
  });

  it('are all on the receipt that the number opens', async () => {
    const { orderTicketGroupId, tickets } = await paidOrder(2);
    const { json } = await send(server, 'GET', `/api/orderTicketGroup?orderTicketGroupId=${orderTicketGroupId}`);
    const pdf = new Uint8Array(await (await receipt(json.orderNo)).arrayBuffer());

    const text = await textIn(pdf);
    for (const printed of ['Guest Tan', 'guest@example.test', json.orderNo]) expect(text).toContain(printed);
    expect((await qrCodesIn(pdf)).toSorted()).toEqual(tickets.map(({ code }: { code: string }) => code).toSorted());
  });

  it('are only the status on the pages after the bank, and none by number with a wrong e-mail', async () => {
    const { orderNo } = await paidOrder(1);
    const page = await send(server, 'GET', `/payment/success?orderNo=${orderNo}`);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(orderNo)]);
    for (const secret of ['Guest Tan', 'guest@example.test', 'T1:']) expect(page.text).not.toContain(secret);

    const wrong = await send(server, 'GET', `/api/orderNonMemberInquiry?orderNo=${orderNo}&email=g@example.test`);
    expect([wrong.status, wrong.json.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  });
});

describe('GET /pdf/receipt', () => {
  it.each(['BM', 'Ms', 'EN', 'en', 'CN', 'zh'])(
    'has the same bytes each time, in the language %s',
    async (langChosen) => {
      const { orderNo } = await paidOrder(1, { langChosen });
      const [once_, again] = [await receipt(orderNo), await receipt(orderNo)];

      expect(once_.headers.get('content-disposition')).toBe(`inline; filename="${orderNo}.pdf"`);
      expect(once_.headers.get('etag')).toBe(again.headers.get('etag'));
      expect(Buffer.from(await again.arrayBuffer()).equals(Buffer.from(await once_.arrayBuffer()))).toBe(true);
    },
  );

  it('works for a name that no font has, and does not exist before the order is paid', async () => {
    expect((await receipt((await paidOrder(1, { buyerName: '<b>சிவா</b> 👨‍👩‍👧 جاوي' })).orderNo)).status).toBe(200);
    const offer = await onSale(server, await acmeAdmin(server));
    const unpaid = await order(server, orderInput(offer, await aGuest(server)));
    expect((await receipt(unpaid.json.orderNo)).status).toBe(409);
    expect((await receipt('ORD-20261121-0000000000000')).status).toBe(404);
  });
});

describe('pnpm tickets:verify', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-tickets-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('verifies a valid ticket offline with a file of the published keys, and prints what it admits to', async () => {
    const { tickets } = await paidOrder(2);
    const keys = join(folder, 'ticket-keys.json');
    await writeFile(keys, await publishedKeys());

    const inWords = await verify([tickets[1].code, '--keys', keys]);
    const inJson = await verify([tickets[1].code, '--keys', keys, '--json']);

    expect(inWords).toMatchObject({ exit: 0, said: expect.stringMatching(/^good: ticket \d+, number 2 of its line/) });
    expect(JSON.parse(inJson.said)).toMatchObject({ result: 'good', kind: 'admission', serial: 2, admitDate: day(7) });
  });

  it('distinguishes a forged code, a key of another server and an invalid code', async () => {
    const [{ code }] = (await paidOrder(1)).tickets;
    const changed = `${code.slice(0, 60)}${code[60] === '0' ? '1' : '0'}${code.slice(61)}`;
    const others = join(folder, 'no-keys.json');
    await writeFile(others, '{"keys":[]}');

    expect(await verify([changed, '--json'])).toMatchObject({ exit: 1, said: '{"result":"forged"}' });
    expect(await verify([code, '--keys', others])).toMatchObject({
      exit: 1,
      said: expect.stringContaining('not published'),
    });
    expect(await verify(['T1:HELLO'])).toMatchObject({ exit: 1, said: 'not a ticket code' });
  });

  it('reports what is missing: no code, no server, no keys', async () => {
    expect(await verify([])).toMatchObject({ exit: 2, complained: 'tickets:verify: give one code, in quotes' });
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await verify(['x'], { url })).toMatchObject({
      exit: 2,
      complained: `tickets:verify: ${url}/.well-known/ticket-keys.json does not answer: start the server, or name the published keys with --keys FILE|URL`,
    });
    expect((await verify(['x', '--keys', join(root, 'package.json')])).complained).toContain('JSON Web Key Set');
  });
});

describe('a new signing key', () => {
  let started: HostedServer[] = [];
  afterAll(() => Promise.all(started.map((foyer) => closeServer(foyer))));

  it('keeps sold tickets valid as long as the previous one is published', async () => {
    const before = await sharedServer('first');
    const [{ code: old }] = (await paidOrder(1, {}, before)).tickets;
    const shared = await variablesBeside(before);
    const env = { ...shared, LOGIN_FLOOR_MS: '50', TICKET_SIGNING_KEY: newKey() };
    started = await Promise.all([
      startServer({ ...env, TICKET_SIGNING_KEY_PREVIOUS: shared['TICKET_SIGNING_KEY'] ?? '' }),
      startServer(env),
    ]);
    const [during, after] = started;
    const [{ code: fresh }] = (await paidOrder(1, {}, during)).tickets;
    const exits = async (server: Server | undefined) => [
      (await verify([old], server)).exit,
      (await verify([fresh], server)).exit,
    ];

    expect(await exits(before)).toEqual([0, 1]);
    expect(await exits(during)).toEqual([0, 0]);
    expect(await exits(after)).toEqual([1, 0]);
  });
});
