import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { addToAnswers, answerHeaders } from './answer-headers.ts';
import type { BrowserRules } from './browser-rules.ts';
import { shareWith, sharingHeaders } from './cors.ts';
import { refuseForms } from './form-bodies.ts';
import { answerClientError, answerFrameworkError } from '../error-body.ts';
import { refuseForeignPages, upgradesOfOurPages } from './origin.ts';

/** Enforces the rules for browsers on every route of a server. Must be called before routes are added. */
export async function holdBrowsersTo(app: FastifyInstance, rules: BrowserRules): Promise<void> {
  addToAnswers(app, answerHeaders(rules));
  await shareWith(app, rules);
  refuseForeignPages(app, rules.allowedOrigins);
  refuseForms(app);
}

/**
 * Returns the options of such a server: no WebSocket for pages of other sites, and the headers of `holdBrowsersTo` on
 * answers without a route.
 *
 * @param mayUpgrade whether there is a WebSocket at this address
 */
export function serverForBrowsers(rules: BrowserRules, mayUpgrade?: (request: IncomingMessage) => boolean) {
  const headersFor = (origin: string | undefined) => ({
    ...answerHeaders(rules),
    ...sharingHeaders(origin, rules),
  });
  return {
    frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
      answerFrameworkError(error, request, reply.headers(headersFor(request.headers.origin)));
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => answerClientError(error, socket, headersFor),
    shouldUpgradeCallback: upgradesOfOurPages(rules, mayUpgrade),
  };
}
