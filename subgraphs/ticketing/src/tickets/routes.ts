import type { FastifyPluginAsync } from 'fastify';

import type { Services } from '../context.ts';

/** Serves the public keys to check tickets with, as a JSON Web Key Set. */
export const ticketRoutes =
  ({ ticketSigner }: Pick<Services, 'ticketSigner'>): FastifyPluginAsync =>
  async (app) => {
    app.get('/.well-known/ticket-keys.json', (_request, response) =>
      response.header('cache-control', 'public, max-age=300').send({ keys: ticketSigner.publicKeys }),
    );
  };
