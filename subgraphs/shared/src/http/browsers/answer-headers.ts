import type { FastifyInstance } from 'fastify';

/** Seconds for which a browser that has used https uses nothing else (RFC 6797). */
const HTTPS_ONLY_SECONDS = 365 * 86_400;

/** The defaults of an answer: not cached, and not sniffed for another type. */
export const privateHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** The headers of every answer of a server. */
export const answerHeaders = ({ httpsOnly = false }: { httpsOnly?: boolean }): Readonly<Record<string, string>> => ({
  ...privateHeaders,
  ...(httpsOnly && { 'strict-transport-security': `max-age=${HTTPS_ONLY_SECONDS}` }),
});

/**
 * Adds these headers to every answer; a route that may be cached sets its own `Cache-Control`. Must be called before
 * anything that answers.
 */
export function addToAnswers(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
    done();
  });
}
