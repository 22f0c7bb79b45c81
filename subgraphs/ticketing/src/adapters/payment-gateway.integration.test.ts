import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock } from '@foyer/shared/clock';
import type { Refusal } from '@foyer/shared/errors';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { PaymentGateway, PaymentRequest } from '#ports/payment-gateway.ts';

import { startPaymentGateway } from '../simulators/payment-gateway.ts';
import { paymentGateway } from './payment-gateway.ts';
import { claimsAt, sealClaims, wireKeys, type ReturnClaims } from './pgv1.ts';

const secret = randomBytes(32);
let folder: string;
let bank: Awaited<ReturnType<typeof startPaymentGateway>>;
let gateway: PaymentGateway;

const start = () => startPaymentGateway({ folder, secret: secret.toString('base64url') });
const connect = (url: string, key: Uint8Array = secret) =>
  paymentGateway({ url, publicUrl: url, agentToken: 'foyer-test', secret: key, timeoutMs: 2_000 }, systemClock);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-bank-'));
  bank = await start();
  gateway = connect(bank.url);
});
afterAll(async () => {
  await bank.stop();
  await rm(folder, { recursive: true, force: true });
});

const aPayment = (): PaymentRequest => ({
  orderNo: `ORD-${randomUUID()}`,
  billId: `BILL-${randomUUID().slice(0, 20)}`,
  productId: 'TG1',
  productDesc: 'Night at the Museum',
  transactionId: randomUUID(),
  amountSen: 10_000n,
  msgToken: '01',
  bankCode: 'SIM0001',
  buyerName: 'Siti <b>& Ali</b>',
  buyerEmail: 'siti@example.my',
  token: randomUUID(),
  redirectUrl: 'http://127.0.0.1:1/payment/return',
});

/** As a browser posts the form. */
const post = (payment: PaymentRequest, changes: Record<string, string> = {}, from = gateway) => {
  const { action, fields } = from.form(payment);
  const body = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value]));
  for (const [name, value] of Object.entries(changes)) body.set(name, value);
  return fetch(action, { method: 'POST', body });
};

/** Decides a payment at the bank. */
async function decide(orderNo: string, outcome: string, more: object = {}): Promise<string | null> {
  const response = await fetch(`${bank.url}/decide`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orderNo, outcome, repeat: 0, ...more }),
  });
  return ((await response.json()) as { redirect: string | null }).redirect;
}

const payloadOf = (redirect: string | null) => new URL(redirect ?? '').searchParams.get('payload') ?? '';

describe('a payment gateway', () => {
  it('names its banks', async () => {
    expect(await gateway.banks('01')).toContainEqual({ bankCode: 'SIM0001', bankName: 'Simulated Bank A' });
    expect(await gateway.banks('02')).not.toEqual(await gateway.banks('01'));
  });

  it('counts as down when its answer does not end, as soon as that is longer than any', async () => {
    const sent = { bytes: 0 };
    const endless = createServer((request, response) => {
      const piece = Buffer.alloc(64 * 1024, ' ');
      const more = () => {
        do sent.bytes += piece.length;
        while (!response.destroyed && response.write(piece));
      };
      request.resume();
      response.on('drain', more);
      more();
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const { port } = endless.address() as AddressInfo;

    await expect(connect(`http://127.0.0.1:${port}`).banks('01')).rejects.toMatchObject({
      reason: 'PAYMENT_GATEWAY_DOWN',
    });

    expect(sent.bytes).toBeLessThan(32 * 1024 * 1024);
    endless.closeAllConnections();
    endless.close();
  });

  it('shows the buyer a page for the form that Foyer made, and escapes names', async () => {
    const response = await post(aPayment());
    const page = await response.text();

    expect(response.status).toBe(200);
    expect(page).toContain('RM 100.00');
    expect(page).toContain('Siti &lt;b&gt;&amp; Ali&lt;/b&gt;');
  });

  it('refuses a form that is more than five minutes early or late', async () => {
    const at = (minutes: number) => {
      const clock = { now: () => new Date(Date.now() + minutes * 60_000) };
      return paymentGateway(
        { url: bank.url, publicUrl: bank.url, agentToken: 'foyer-test', secret, timeoutMs: 2_000 },
        clock,
      );
    };

    for (const minutes of [-6, 6]) expect(await (await post(aPayment(), {}, at(minutes))).text()).toContain('(XW)');
    for (const minutes of [-4, 4]) expect((await post(aPayment(), {}, at(minutes))).status).toBe(200);
    await expect(at(-6).requery(aPayment())).rejects.toMatchObject({ reason: 'PAYMENT_GATEWAY_DOWN' });
  });

  it('refuses a form that was edited, and one that it has seen', async () => {
    const payment = aPayment();

    expect((await post(payment, { totalAmount: '1.00' })).status).toBe(400);
    expect((await post(payment, {}, connect(bank.url, randomBytes(32)))).status).toBe(400);
    expect((await post(payment)).status).toBe(200);
    expect((await post(payment)).status).toBe(400);
  });

  it('reports a payment in the return, and again when queried', async () => {
    const payment = aPayment();
    await post(payment);

    const read = await gateway.readReturn(payloadOf(await decide(payment.orderNo, 'approve')));
    const answer = await gateway.requery(payment);

    const { billId, transactionId } = payment;
    const paid = { statusCode: '00', amountSen: 10_000n, currency: 'MYR', billId, transactionId };
    expect(read).toMatchObject({ kind: 'authentic', claims: paid });
    expect(answer).toMatchObject(paid);
    expect(answer.jti).not.toBe(read.kind === 'invalid' ? '' : read.claims.jti);
  });

  it.each([
    ['reject', '51'],
    ['cancel', '1C'],
    ['pending', '99'],
  ])('reports %s', async (outcome, statusCode) => {
    const payment = aPayment();
    await post(payment);

    const read = await gateway.readReturn(payloadOf(await decide(payment.orderNo, outcome)));

    expect(read).toMatchObject({ kind: 'authentic', claims: { statusCode } });
  });

  it('spoils a payload on request, and the adapter does not accept it', async () => {
    const payment = aPayment();
    await post(payment);

    expect(await gateway.readReturn(payloadOf(await decide(payment.orderNo, 'tampered')))).toMatchObject({
      kind: 'invalid',
    });
  });

  it('does not know a payment before its late result is due', async () => {
    const payment = aPayment();
    await post(payment);
    await decide(payment.orderNo, 'late', { delayMs: 60_000 });

    expect(await gateway.requery(payment)).toMatchObject({ statusCode: '09' });
  });

  it('answers 76 for a payment that it never saw', async () => {
    expect(await gateway.requery(aPayment())).toMatchObject({ statusCode: '76' });
  });

  it('remembers payments after it was killed', async () => {
    const payment = aPayment();
    await post(payment);
    await decide(payment.orderNo, 'timeout');
    await bank.stop();

    bank = await start();
    gateway = connect(bank.url);

    expect(await gateway.requery(payment)).toMatchObject({ statusCode: '00' });
  });

  it('gives PAYMENT_GATEWAY_DOWN when it accepts a request and never answers', async () => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const at = { url, publicUrl: url, agentToken: 'foyer-test', secret, timeoutMs: 50 };

    await expect(paymentGateway(at, systemClock).requery(aPayment())).rejects.toMatchObject({
      reason: 'PAYMENT_GATEWAY_DOWN',
    });
    silent.closeAllConnections();
    silent.close();
  });

  it('gives PAYMENT_GATEWAY_DOWN when it does not answer', async () => {
    await expect(connect('http://127.0.0.1:1').requery(aPayment())).rejects.toMatchObject({
      reason: 'PAYMENT_GATEWAY_DOWN',
    });
  });
});

describe('an answer about a payment', () => {
  /** Queries a gateway that knows the secret and answers with these claims. @returns what came of it */
  async function answered(differently: Partial<ReturnClaims>): Promise<string> {
    const payment = aPayment();
    const claims = claimsAt(new Date(), {
      jti: randomUUID(),
      aud: 'foyer-test',
      orderNo: payment.orderNo,
      billId: payment.billId,
      transactionId: payment.transactionId,
      gatewayTransactionId: 'G-1',
      statusCode: '00',
      statusMessage: 'paid',
      amountSen: payment.amountSen,
      currency: 'MYR',
      bankCode: 'SIM0001',
      bankName: 'Bank',
      msgToken: '01',
      paidAt: new Date(),
    });
    const payload = await sealClaims({ ...claims, ...differently }, wireKeys(secret));
    const server = createServer((_request, response) => void response.end(JSON.stringify({ payload })));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      return (await connect(`http://127.0.0.1:${port}`).requery(payment)).statusCode;
    } catch (error) {
      return (error as Refusal).reason;
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('counts only when it is about this payment, for us, and new', async () => {
    const now = Math.floor(Date.now() / 1_000);
    expect(await answered({})).toBe('00');
    expect(await answered({ orderNo: `ORD-${randomUUID()}` })).toBe('PAYMENT_GATEWAY_DOWN');
    expect(await answered({ aud: 'another-shop' })).toBe('PAYMENT_GATEWAY_DOWN');
    expect(await answered({ exp: now - 1 })).toBe('PAYMENT_GATEWAY_DOWN');
  });
});

describe('a new secret', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const text = (key: Uint8Array) => Buffer.from(key).toString('base64url');

  /** Runs one payment from the form to the requery, with the secrets that Foyer and the gateway have at that step. */
  async function paysWith(ours: [Uint8Array, Uint8Array?], theirs: [Uint8Array, Uint8Array?]) {
    const place = await mkdtemp(join(tmpdir(), 'foyer-bank-'));
    const [theirSecret, theirPrevious] = theirs;
    const there = await startPaymentGateway({
      folder: place,
      secret: text(theirSecret),
      ...(theirPrevious && { previousSecret: text(theirPrevious) }),
    });
    try {
      const at = { url: there.url, publicUrl: there.url, agentToken: 'foyer-test', timeoutMs: 2_000 };
      const here = paymentGateway({ ...at, secret: ours[0], previousSecret: ours[1] }, systemClock);
      const payment = aPayment();
      if ((await post(payment, {}, here)).status !== 200) return null;
      const decided = await fetch(`${there.url}/decide`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ orderNo: payment.orderNo, outcome: 'approve', repeat: 0 }),
      });
      const payload = payloadOf(((await decided.json()) as { redirect: string }).redirect);
      const { kind } = await here.readReturn(payload);
      const { statusCode } = await here.requery(payment);
      return { kind, statusCode, kid: decodeProtectedHeader(payload)['kid'] };
    } finally {
      await there.stop();
      await rm(place, { recursive: true, force: true });
    }
  }

  it.each([
    ['as long as nothing has changed', [older], [older], 'gw1'],
    ['when we accept both, and still seal with the old', [older, newer], [older], 'gw1'],
    ['when the gateway has the new, and accepts the old', [older, newer], [newer, older], 'gw2'],
    ['when we have the new, and accept the old', [newer, older], [newer, older], 'gw2'],
    ['when the gateway has forgotten the old', [newer, older], [newer], 'gw1'],
    ['when nobody knows the old any more', [newer], [newer], 'gw1'],
  ] as const)('refuses no payment %s', async (_step, ours, theirs, kid) => {
    expect(await paysWith([...ours], [...theirs])).toEqual({ kind: 'authentic', statusCode: '00', kid });
  });

  it('is the only one accepted once the old one is removed', async () => {
    expect(await paysWith([older], [newer])).toBeNull();
  });
});
