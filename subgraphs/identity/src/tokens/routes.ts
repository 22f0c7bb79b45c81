import { createHash } from 'node:crypto';

import type { FastifyPluginAsync } from 'fastify';

import type { Keys } from './keys.ts';

/** How long a verifier may cache the key set. */
const MAX_AGE_SECONDS = 300;

/** `GET /.well-known/jwks.json`: the keys with which anyone can verify an access token. */
export const jwksRoute = ({ jwks }: Keys): FastifyPluginAsync => {
  const body = JSON.stringify(jwks);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

  return async (app) => {
    app.get('/.well-known/jwks.json', (request, response) => {
      response.headers({ 'cache-control': `public, max-age=${MAX_AGE_SECONDS}`, etag });
      const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
      if (known?.includes(etag) || known?.includes('*')) return response.code(304).send();
      return response.type('application/json').send(body);
    });
  };
};
