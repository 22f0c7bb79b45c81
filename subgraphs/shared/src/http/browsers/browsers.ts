import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { addToAnswers, answerHeaders } from './answer-headers.ts';
import { shareWith, sharingHeaders } from './cors.ts';
import { refuseForms } from './form-bodies.ts';
import { answerClientError, answerFrameworkError } from '../error-body.ts';
import { refuseForeignPages, upgradesOfOurPages } from './origin.ts';

/** What a server that browsers reach lets them do. */
export interface BrowserRules {
  /** Origins whose pages may do what our own may, such as `https://shop.example`. */
  allowedOrigins: readonly string[];
  /** Tells browsers to come by https from now on. */
  httpsOnly?: boolean;
}

/** Holds browsers to the rules on every route of a server, whoever mounts it. To be called before there are routes. */
export async function holdBrowsersTo(app: FastifyInstance, rules: BrowserRules): Promise<void> {
  addToAnswers(app, answerHeaders(rules));
  await shareWith(app, rules.allowedOrigins);
  refuseForeignPages(app, rules.allowedOrigins);
  refuseForms(app);
}

/**
 * The options of such a server: no WebSocket for pages of other sites, and the headers of `holdBrowsersTo` on what is
 * answered before there is a route.
 *
 * @param mayUpgrade whether somebody takes a WebSocket at this address
 */
export function serverForBrowsers(rules: BrowserRules, mayUpgrade?: (request: IncomingMessage) => boolean) {
  const { allowedOrigins } = rules;
  const headersFor = (origin: string | undefined) => ({
    ...answerHeaders(rules),
    ...sharingHeaders(origin, allowedOrigins),
  });
  return {
    frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
      answerFrameworkError(error, request, reply.headers(headersFor(request.headers.origin)));
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => answerClientError(error, socket, headersFor),
    shouldUpgradeCallback: upgradesOfOurPages(allowedOrigins, mayUpgrade),
  };
}
