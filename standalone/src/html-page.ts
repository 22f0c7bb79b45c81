import { join } from 'node:path';

import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';

const eta = new Eta({ views: join(import.meta.dirname, 'pages'), cache: true });

const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Answers with a page of ours: no script, our style sheet only, unless its policy says otherwise. */
export const htmlPage = (response: FastifyReply, view: string, data: object, policy = POLICY): FastifyReply =>
  response
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .type('text/html; charset=utf-8')
    .send(eta.render(view, data));
