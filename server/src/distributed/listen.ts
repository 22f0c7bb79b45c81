import { closeServer } from '@foyer/shared/http/close-server';
import type { FastifyInstance } from 'fastify';

import type { Place } from '../config.ts';
import type { Later } from '../unwinding.ts';

/** Opens the door of a process, last of all. */
export async function listen(app: FastifyInstance, { port, host }: Pick<Place, 'port' | 'host'>, later: Later) {
  later(app, closeServer);
  return { url: await app.listen({ port, host }) };
}
