import { beforeAll, describe, expect, it } from 'vitest';

import { formOf, goToTheBank, placeOrder, submit } from '../support/servers/bank.ts';
import { graphql, send, logInCustomer } from '../support/fixtures/people.ts';
import { until } from '../support/until.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

const anOrder = async (differently: object = {}) =>
  (await placeOrder(server, await logInCustomer(server), differently)).orderNo;
const decideByJson = (body: unknown) => send(server, 'POST', '/sim/bank/decide', { body });
const visit = async (path: string) => {
  const response = await fetch(new URL(path, server.url), { redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
};
async function stateOf(orderNo: string) {
  const query = 'query ($orderNo: String!) { paymentState(orderNo: $orderNo) { transactionStatus underReview } }';
  return (await graphql(server, query, { orderNo })).data.paymentState;
}

/** Goes to the bank and presses a button of its page, as a browser without JavaScript does. */
async function press(orderNo: string, outcome: string, more: Record<string, string> = {}) {
  const { address, html } = await goToTheBank(server, orderNo);
  expect(html).not.toContain('<script');
  expect(html).toContain(`name="outcome" value="${outcome}"`);
  const { action, fields } = formOf(html);
  const pressed = await submit(new URL(action, address), { ...fields, ...more, outcome });
  return { ...pressed, location: pressed.headers.get('location') };
}

/** Presses a button and follows the browser: the page on which it lands, and its text. */
async function landAfter(orderNo: string, outcome: string) {
  const { location } = await press(orderNo, outcome);
  const returned = await visit(location ?? '');
  expect(returned.status).toBe(302);
  return { landing: returned.location, page: (await visit(returned.location ?? '')).text };
}

describe('the simulated bank, by hand', () => {
  it.each([
    ['approve', 'success?orderNo=…', 'SUCCESS', 'Your payment has arrived'],
    ['callback-twice', 'success?orderNo=…', 'SUCCESS', 'Your payment has arrived'],
    ['reject', 'failure?orderNo=…', 'FAILED', 'did not go through'],
    ['cancel', 'failure?orderNo=…', 'FAILED', 'did not go through'],
    ['pending', 'success?orderNo=…&status=PENDING', 'PENDING', 'Waiting for your bank'],
    ['wrong-amount', 'failure?orderNo=…&code=REVIEW', 'PENDING', 'looking into your payment'],
    ['tampered', 'failure?code=INVALID_PAYLOAD', 'PENDING', 'could not be read'],
  ])('%s leads to /payment/%s, and the order is %s', async (outcome, path, transactionStatus, words) => {
    const orderNo = await anOrder();

    const { landing, page } = await landAfter(orderNo, outcome);

    expect(landing).toBe(`/payment/${path.replace('…', orderNo)}`);
    expect(page).toContain(words);
    expect(await stateOf(orderNo)).toEqual({ transactionStatus, underReview: outcome === 'wrong-amount' });
  });

  it('keeps the buyer when it times out: the server does not learn of the payment', async () => {
    const orderNo = await anOrder();

    const { status, text } = await press(orderNo, 'timeout');

    expect([status, text.includes('Back to the shop')]).toEqual([200, true]);
    expect(await stateOf(orderNo)).toMatchObject({ transactionStatus: 'PENDING' });
  });

  it.each([
    ['callback-only', {}],
    ['late', { minutes: '0' }],
  ])('reports to the server without the buyer: %s', async (outcome, more) => {
    const orderNo = await anOrder();

    expect((await press(orderNo, outcome, more)).location).toBeNull();

    await until('the copy', async () => (await stateOf(orderNo)).transactionStatus === 'SUCCESS');
  });

  it('lists its payments, and refuses a decision without the key of the page', async () => {
    const orderNo = await anOrder();
    await goToTheBank(server, orderNo);

    expect((await visit('/sim/bank')).location).toContain('/sim/bank/payments');
    expect((await visit('/sim/bank/payments')).text).toContain(orderNo);
    const forged = await submit(new URL('/sim/bank/decide', server.url), { orderNo, outcome: 'approve', pageKey: 'x' });
    expect(forged.status).toBe(404);
    expect(await stateOf(orderNo)).toMatchObject({ transactionStatus: 'PENDING' });
  });
});

describe('the simulated bank, headless', () => {
  it('decides, and returns where the browser would go', async () => {
    const orderNo = await anOrder();
    await goToTheBank(server, orderNo);

    const { status, json } = await decideByJson({ orderNo, outcome: 'approve', repeat: 0 });

    expect(status).toBe(200);
    expect((await visit(json.redirect)).location).toBe(`/payment/success?orderNo=${orderNo}`);
  });

  it('sends the requested number of copies, after the requested time', async () => {
    const orderNo = await anOrder();
    await goToTheBank(server, orderNo);

    const { json } = await decideByJson({ orderNo, outcome: 'late', repeat: 3, delayMs: 200 });

    expect(json).toEqual({ redirect: null });
    await until('the copies', async () => (await stateOf(orderNo)).transactionStatus === 'SUCCESS');
  });

  it.each([
    ['an outcome that it does not know', { orderNo: 'ORD-1', outcome: 'maybe' }, 400, 'VALIDATION_FAILED'],
    ['no body', {}, 400, 'VALIDATION_FAILED'],
    ['a payment that it never saw', { orderNo: 'ORD-1', outcome: 'approve' }, 404, 'PAYMENT_NOT_FOUND'],
  ])('refuses %s in the one error shape', async (_what, body, status, code) => {
    const refused = await decideByJson(body);

    expect([refused.status, refused.json]).toEqual([
      status,
      expect.objectContaining({ success: false, code, message: expect.any(String), requestId: expect.any(String) }),
    ]);
  });
});

describe('the page that a buyer lands on', () => {
  it('shows the status of the order, whatever its query string claims, and nothing else of it', async () => {
    const [open, paid] = [await anOrder(), await anOrder()];
    await landAfter(paid, 'approve');

    const claimed = (await visit(`/payment/success?orderNo=${open}&status=SUCCESS`)).text;
    const denied = (await visit(`/payment/failure?orderNo=${paid}&code=REVIEW`)).text;

    expect(claimed).toContain('Not paid yet');
    expect(claimed).not.toContain('Thank you');
    expect(denied).toContain('Thank you');
    for (const page of [claimed, denied]) expect(page).not.toMatch(/Siti|example\.test/);
  });

  it.each([
    ['BM', 'ms', 'Ke bank anda', 'Terima kasih', 'tidak boleh dibayar lagi'],
    ['EN', 'en', 'To your bank', 'Thank you', 'can no longer be paid'],
    ['CN', 'zh-Hans', '前往您的银行', '谢谢', '此订单不能再付款'],
  ])('speaks the language of the order: %s', async (langChosen, lang, toBank, thanks, refused) => {
    const orderNo = await anOrder({ langChosen });
    const form = await submit(new URL('/payment/process', server.url), { orderNo });
    const { page } = await landAfter(orderNo, 'approve');
    const again = await submit(new URL('/payment/process', server.url), { orderNo });

    expect([form.status, again.status]).toEqual([200, 409]);
    for (const [text, words] of [
      [form.text, toBank],
      [page, thanks],
      [again.text, refused],
    ]) {
      expect(text).toContain(`<html lang="${lang}">`);
      expect(text).toContain(words);
    }
  });

  it('speaks all three languages without a known order', async () => {
    const { text } = await visit('/payment/failure?code=INVALID_PAYLOAD');
    for (const lang of ['ms', 'en', 'zh-Hans']) expect(text).toContain(`<h1 lang="${lang}">`);
  });

  it('reloads while the bank decides, and no longer', async () => {
    const orderNo = await anOrder();
    const waiting = await landAfter(orderNo, 'pending');
    const done = await landAfter(orderNo, 'approve');

    expect(waiting.page).toContain('<meta http-equiv="refresh"');
    expect(done.page).not.toContain('<meta http-equiv="refresh"');
  });

  it.each(['', '?orderNo=ORD-1', '?orderNo=%00', '?orderNo=%3Cscript%3E'])('stands for nobody: %j', async (query) => {
    const { status, text } = await visit(`/payment/success${query}`);

    expect(status).toBe(200);
    expect(text).not.toContain('<script>');
  });
});
