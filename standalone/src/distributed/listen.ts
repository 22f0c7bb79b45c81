import type { FastifyInstance } from 'fastify';

import { closeServer } from '../close-server.ts';
import type { Place } from '../config.ts';
import type { Later } from '../unwinding.ts';

/** How long requests may take to end. */
const ANSWER_MS = 2_000;

/** Opens the door of a process, last of all. */
export async function listen(app: FastifyInstance, { port, host }: Pick<Place, 'port' | 'host'>, later: Later) {
  later(app, (open) => closeServer(open, ANSWER_MS));
  return { url: await app.listen({ port, host }) };
}
