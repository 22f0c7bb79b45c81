import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { Eta } from 'eta';

import { OtherAnswer } from './route.ts';

const eta = new Eta({ views: join(import.meta.dirname, 'pages'), cache: true });

interface PageOptions {
  status?: number;
  /** Where a form on this page may be posted. */
  formAction?: string;
  /** The `script-src`, instead of the nonce. */
  script?: string;
}

interface RenderedPage {
  html: string;
  headers: Record<string, string>;
}

/**
 * Renders an HTML page that is never cached. Its content security policy allows our style sheet and images, one script
 * by its nonce (`it.nonce`), and requests to our own origin.
 */
export function renderPage(
  view: string,
  data: object,
  { formAction = "'none'", script }: Omit<PageOptions, 'status'> = {},
): RenderedPage {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `script-src ${script ?? `'nonce-${nonce}'`}`,
    "connect-src 'self'",
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    html: eta.render(view, { ...data, nonce }),
    headers: {
      'content-security-policy': policy,
      'cache-control': 'no-store',
      // Not `no-referrer`: browsers then call the origin of our own forms `null`.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    },
  };
}

/** An answer that is a page (`renderPage`). */
export function page(view: string, data: object, { status = 200, ...options }: PageOptions = {}): OtherAnswer {
  const { html, headers } = renderPage(view, data, options);
  return new OtherAnswer((response) => response.code(status).headers(headers).send(html));
}
