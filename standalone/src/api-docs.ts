import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openApiDocument, type Documented, type Mounted } from '@foyer/rest-compat/openapi';
import type { FastifyInstance } from 'fastify';

import { overviewOf, sectionsOf, type OpenApi } from './api-docs-page.ts';
import { htmlPage } from './html-page.ts';

const root = join(import.meta.dirname, '../..');

const files = { 'api-docs.css': 'text/css; charset=utf-8', 'api-docs.js': 'text/javascript; charset=utf-8' } as const;

interface Needs {
  publicUrl: string;
  /** Of the subgraphs: they say who may call what. */
  schemas: Documented['subgraphs'];
}

/**
 * `GET /openapi.json`, and under `/docs/api` the same as pages, to read and to try. Knows every route that is mounted
 * on this server afterwards.
 */
export function mountApiDocs(app: FastifyInstance, { publicUrl, schemas }: Needs): void {
  const mounted: Mounted[] = [];
  app.addHook('onRoute', ({ method, url }) => void mounted.push({ method, url }));

  let made: OpenApi | undefined;
  function document() {
    const publicSdl = () => readFileSync(join(root, 'gateway/schema.graphql'), 'utf8');
    made ??= openApiDocument({ publicUrl, subgraphs: schemas, publicSdl: publicSdl() }, mounted) as OpenApi;
    return made;
  }
  app.get('/openapi.json', (_request, response) =>
    response.type('application/json').header('cache-control', 'no-cache').send(document()),
  );

  app.get('/docs/api', (_request, response) => htmlPage(response, 'api-docs.eta', overviewOf(document())));
  app.get<{ Params: { section: string } }>('/docs/api/:section', (request, response) => {
    const sections = sectionsOf(document());
    const at = sections.findIndex(({ slug }) => slug === request.params.section);
    const section = sections[at];
    if (!section) return response.callNotFound();
    return htmlPage(response, 'api-docs-section.eta', { section, next: sections[at + 1] });
  });
  for (const [name, type] of Object.entries(files)) {
    app.get(`/docs/api/${name}`, async (_request, response) =>
      response
        .type(type)
        .header('cache-control', 'public, max-age=300')
        .send(await readFile(join(import.meta.dirname, 'pages', name))),
    );
  }
}
