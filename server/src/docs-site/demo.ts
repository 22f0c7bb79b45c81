import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

const built = join(import.meta.dirname, '../../../apps/demo/generated');
const types = { js: 'text/javascript', css: 'text/css', html: 'text/html' } as const;

interface Around {
  publicUrl: string;
  /** The origin of pictures and videos, when it differs. */
  contentOrigin?: string | undefined;
  paymentGatewayUrl?: string | undefined;
  /** The address of the payment gateway for browsers, when it differs. */
  paymentGatewayPublicUrl?: string | undefined;
}

/** The content security policy of the demonstration: it may call this server, and post a payment form to the bank. */
export function policyOf({ publicUrl, contentOrigin, paymentGatewayUrl, paymentGatewayPublicUrl }: Around): string {
  const home = new URL(publicUrl).origin;
  const content = contentOrigin ?? home; // pictures, uploads and videos have absolute addresses
  const bank = new URL(paymentGatewayPublicUrl ?? paymentGatewayUrl ?? home).origin;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The pictures of advertising may be anywhere.
    `img-src 'self' data: https: ${content}`,
    `connect-src 'self' ${home} ${home.replace(/^http/, 'ws')}${contentOrigin ? ` ${content}` : ''}`,
    `media-src 'self' blob: ${content}`,
    "worker-src 'self' blob:",
    `form-action 'self' ${bank}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The best of our encodings that a client accepts; null for none. A quality is only ever given to refuse one (`q=0`). */
export function encodingFor(accepted: string | undefined): 'br' | 'gzip' | null {
  const offers = (accepted ?? '').split(',').map((offer) => offer.replaceAll(' ', '').toLowerCase());
  const [best] = encodings.find(([name]) => offers.some((offer) => acceptable(offer, name))) ?? [null];
  return best;
}

const acceptable = (offer: string, name: string) => {
  const [coding, quality = 'q=1'] = offer.split(';');
  return coding === name && Number(quality.slice(2)) > 0;
};

/** `GET /demo`: the storefront demonstration as tools/generate.ts has built it, with its own policy. */
export function mountDemo(app: FastifyInstance, around: Around): void {
  const policy = policyOf(around);
  for (const file of globSync('**/*.{js,css,html}', { cwd: built })) {
    const plain = readFileSync(join(built, file));
    const smaller = Object.fromEntries(encodings.map(([name, end]) => [name, readFileSync(join(built, file + end))]));
    const page = file === 'index.html';
    const headers = {
      'content-type': `${types[file.split('.').at(-1) as keyof typeof types]}; charset=utf-8`,
      // The names of all files but the page change with their content.
      'cache-control': page ? 'no-cache' : 'public, max-age=31536000, immutable',
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    };
    app.get(page ? '/demo' : `/demo/${file}`, (request, response) => {
      const encoding = encodingFor(request.headers['accept-encoding']);
      const vary = [response.getHeader('vary'), 'Accept-Encoding'].flat().filter(Boolean).join(', ');
      void response.headers({ ...headers, vary, ...(encoding && { 'content-encoding': encoding }) });
      return response.send(encoding ? smaller[encoding] : plain);
    });
  }
}
