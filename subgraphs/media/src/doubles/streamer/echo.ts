import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** How the answer should look; sent as JSON in the header `x-echo-answer`. */
const Answer = z.object({
  status: z.number().int().default(200),
  headers: z.array(z.tuple([z.string(), z.string()])).default([]),
});

/**
 * Shows a proxy what arrived: the body comes back as it came, and the header `x-echo` holds the
 * method, the raw URL and all headers as base64url JSON.
 */
export async function echo(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.all('/echo', answer);
  app.all('/echo/*', answer);

  function answer(request: FastifyRequest, reply: FastifyReply) {
    const { method, url, rawHeaders: headers } = request.raw;
    const asked = Answer.parse(JSON.parse(String(request.headers['x-echo-answer'] ?? '{}')));
    reply.hijack();
    reply.raw.writeHead(asked.status, [
      'x-echo',
      Buffer.from(JSON.stringify({ method, url, headers })).toString('base64url'),
      ...(request.headers['content-type'] ? ['content-type', request.headers['content-type']] : []),
      ...asked.headers.flat(),
    ]);
    request.raw.pipe(reply.raw);
  }
}
