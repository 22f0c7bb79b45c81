import { join } from 'node:path';

import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';

const eta = new Eta({ views: join(import.meta.dirname, 'pages'), cache: true });

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders a page of ours. */
export const renderPage = (view: string, data: object): string => eta.render(view, data);

/** Answers with such a page; only our own scripts and styles may run. */
export const sendPage = (response: FastifyReply, html: string): FastifyReply =>
  response
    .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .type('text/html; charset=utf-8')
    .send(html);

/** Answers with a page that is rendered for this request. */
export const htmlPage = (response: FastifyReply, view: string, data: object): FastifyReply =>
  sendPage(response, renderPage(view, data));
