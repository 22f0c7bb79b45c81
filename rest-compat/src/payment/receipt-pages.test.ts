import { Readable } from 'node:stream';

import { Refusal } from '@foyer/shared/errors';
import { answerErrors } from '@foyer/shared/http/error-body';
import { openLog } from '@foyer/shared/telemetry/log';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mountReceiptPages } from './receipt-pages.ts';

const refusals: Record<string, Refusal> = {
  busy: new Refusal('UPSTREAM_UNAVAILABLE', 'RECEIPTS_BUSY', 'Too many receipts.', { retryAfter: 9 }),
  away: new Refusal('UPSTREAM_UNAVAILABLE', 'SUBGRAPH_UNAVAILABLE', 'Not there.'),
  often: new Refusal('RATE_LIMITED', 'RATE_LIMITED', 'Too often.', { retryAfter: 30 }),
  unpaid: new Refusal('CONFLICT', 'ORDER_NOT_PAID', 'Not paid.'),
  unknown: new Refusal('NOT_FOUND', 'ORDER_NOT_FOUND', 'No such order.'),
};

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  answerErrors(app, openLog('silent'));
  mountReceiptPages(app);
  app.get<{ Querystring: { orderNo: string } }>('/pdf/receipt', async ({ query: { orderNo } }, response) => {
    if (refusals[orderNo]) throw refusals[orderNo];
    // As another process answers.
    const forwarded = '{"success":false,"code":"RECEIPTS_BUSY"}';
    if (orderNo === 'forwarded')
      return response
        .code(503)
        .headers({ 'content-length': forwarded.length, 'retry-after': '4', 'content-type': 'application/json' })
        .send(Readable.from([forwarded]));
    return response.type('application/pdf').send(Buffer.from('%PDF'));
  });
});
afterAll(() => app.close());

const open = (orderNo: string, headers: Record<string, string>) =>
  app.inject({ url: '/pdf/receipt', query: { orderNo }, headers });
const browser = (language: string) => ({ accept: 'text/html,*/*;q=0.8', 'accept-language': language });

const reloadOf = (html: string) => /<meta http-equiv="refresh" content="(\d+)">/.exec(html)?.[1];
const titleOf = (html: string) => /<title>(.*)<\/title>/.exec(html)?.[1];

describe('a browser that opens a receipt', () => {
  it.each([
    ['busy', 503, 'Your tickets can not be shown yet', '9'],
    ['away', 503, 'Your tickets can not be shown yet', '6'],
    ['forwarded', 503, 'Your tickets can not be shown yet', '4'],
    ['often', 429, 'One moment, please', '30'],
    ['unpaid', 409, 'There are no tickets yet', undefined],
    ['unknown', 404, 'There is no such order', undefined],
  ])('gets a page where the server answers %s', async (orderNo, status, title, reload) => {
    const { statusCode, headers, body } = await open(orderNo, browser('en-GB'));

    expect([statusCode, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect([titleOf(body), reloadOf(body)]).toEqual([title, reload]);
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('reads it in its own language, and in three if it names none of ours', async () => {
    expect(titleOf((await open('busy', browser('ms-MY,en;q=0.5'))).body)).toBe('Tiket anda belum dapat dipaparkan');
    expect(titleOf((await open('busy', browser('zh-CN'))).body)).toBe('暂时无法显示您的门票');
    const chosen = { ...browser('zh-CN'), cookie: 'a=b; foyer_language=en' };
    expect(titleOf((await open('busy', chosen)).body)).toBe('Your tickets can not be shown yet');
    const linked = await app.inject({ url: '/pdf/receipt?orderNo=busy&lang=cn', headers: chosen });
    expect(titleOf(linked.body)).toBe('暂时无法显示您的门票');
    const { body } = await open('busy', browser('ta'));
    expect([...body.matchAll(/<h1 lang="([^"]+)"/g)].map(([, lang]) => lang)).toEqual(['ms', 'en', 'zh-Hans']);
  });

  it('is led to the page of a payment that is missing', async () => {
    expect((await open('unpaid', browser('en'))).body).toContain('href="/payment/success?orderNo=unpaid"');
  });

  it('gets the PDF where there is one', async () => {
    expect((await open('paid', browser('en'))).headers['content-type']).toBe('application/pdf');
  });
});

it('any other client gets the documented error, byte for byte', async () => {
  for (const headers of [{}, { accept: '*/*' }, { accept: 'text/html' }, { accept: 'application/json' }]) {
    const { statusCode, headers: told, body } = await open('busy', headers);
    expect([statusCode, told['retry-after']]).toEqual([503, '9']);
    expect(body).toMatch(
      /^{"success":false,"code":"RECEIPTS_BUSY","message":"Too many receipts.","requestId":"[^"]+"}$/,
    );
    expect((await open('forwarded', headers)).body).toBe('{"success":false,"code":"RECEIPTS_BUSY"}');
  }
});
