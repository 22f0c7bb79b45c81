import { Readable } from 'node:stream';

import { isBrowser } from '@foyer/shared/http/error-body';
import { browserLanguage } from '@foyer/shared/http/language';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isLanguage } from '../login/language.ts';
import { renderPage } from '../page.ts';
import { said } from './pages.ts';
import { spokenIn, type NoReceipt } from './words.ts';

const RECEIPT = '/pdf/receipt';
/** Where the error does not say when to come again. In seconds. */
const RELOAD_SECONDS = 6;

/**
 * Shows browsers a page where a receipt can't be had; it loads the receipt by itself as soon as that may succeed. Other
 * clients get the error as it is. It is to be called before the route is mounted, which is ticketing's or forwards to it.
 */
export function mountReceiptPages(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.url === RECEIPT) route.onSend = [...[route.onSend ?? []].flat(), pageInsteadOfError];
  });
}

async function pageInsteadOfError(request: FastifyRequest, response: FastifyReply, payload: unknown): Promise<unknown> {
  const { statusCode: status } = response;
  if (status < 400 || !isBrowser(request)) return payload;
  if (payload instanceof Readable) payload.resume(); // of another process
  const { html, headers } = receiptPage(request, status, Number(response.getHeader('retry-after')));
  response.removeHeader('content-length').headers(headers);
  return html;
}

function receiptPage({ query, headers }: FastifyRequest, status: number, retryAfter: number) {
  const { orderNo = '', lang } = query as { orderNo?: unknown; lang?: unknown };
  const why = reasonFor(status);
  const paymentPage = `/payment/success?${new URLSearchParams({ orderNo: String(orderNo) }).toString()}`;
  const texts = said(
    spokenIn(isLanguage(lang) ? lang : browserLanguage(headers)),
    ({ words: { noReceipt, toShop } }) => {
      const [title, text] = noReceipt[why];
      return { title, text, ...(why === 'notPaid' && { link: { href: paymentPage, text: toShop } }) };
    },
  );
  const willSucceed = why === 'later' || why === 'tooMany';
  return renderPage('payment-result.eta', { ...texts, ...(willSucceed && { reload: retryAfter || RELOAD_SECONDS }) });
}

function reasonFor(status: number): NoReceipt {
  if (status >= 500) return 'later';
  if (status === 429) return 'tooMany';
  return status === 409 ? 'notPaid' : 'noOrder';
}
