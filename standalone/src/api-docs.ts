import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { openApiDocument, type Documented, type Mounted } from '@foyer/rest-compat/openapi';
import type { FastifyInstance } from 'fastify';

import { htmlPage } from './html-page.ts';

const root = join(import.meta.dirname, '../..');

/** Swagger UI sets styles on its elements, and draws its icons from data URLs; it runs no inline script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const files = {
  'swagger-ui.css': ['text/css; charset=utf-8', fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))],
  'swagger-ui-bundle.js': [
    'text/javascript; charset=utf-8',
    fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  ],
  'api-docs.js': ['text/javascript; charset=utf-8', join(import.meta.dirname, 'pages/api-docs.js')],
} as const;

interface Needs {
  publicUrl: string;
  /** Of the subgraphs: they say who may call what. */
  schemas: Documented['subgraphs'];
}

/**
 * `GET /openapi.json`, and `GET /docs/api` to browse it and to try. Knows every route that is mounted on this server
 * afterwards.
 */
export function mountApiDocs(app: FastifyInstance, { publicUrl, schemas }: Needs): void {
  const mounted: Mounted[] = [];
  app.addHook('onRoute', ({ method, url }) => void mounted.push({ method, url }));

  let document: string | undefined;
  app.get('/openapi.json', (_request, response) => {
    const publicSdl = () => readFileSync(join(root, 'gateway/schema.graphql'), 'utf8');
    document ??= JSON.stringify(openApiDocument({ publicUrl, subgraphs: schemas, publicSdl: publicSdl() }, mounted));
    return response.type('application/json').header('cache-control', 'no-cache').send(document);
  });

  app.get('/docs/api', (_request, response) => htmlPage(response, 'api-docs.eta', {}, POLICY));
  for (const [name, [type, file]] of Object.entries(files)) {
    app.get(`/docs/api/${name}`, async (_request, response) =>
      response
        .type(type)
        .header('cache-control', 'public, max-age=3600')
        .send(await readFile(file)),
    );
  }
}
