import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openApiDocument, type Documented, type Mounted } from '@foyer/rest-compat/openapi';
import { lazy } from '@foyer/shared/lazy';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { overviewOf, sectionsOf, type OpenApi } from './api-docs-page.ts';
import { withoutReferences } from './schema-text.ts';
import { renderPage, sendPage } from './html-page.ts';

const root = join(import.meta.dirname, '../../..');

const files = { 'api-docs.css': 'text/css; charset=utf-8', 'api-docs.js': 'text/javascript; charset=utf-8' } as const;

interface Needs {
  publicUrl: string;
  /** Reads the schemas of the subgraphs, which say who may call a field. */
  readSchemas(): Promise<Documented['subgraphs']>;
}

/**
 * Serves `GET /openapi.json`, and under `/docs/api` the same as pages, to read and to try. Includes every route that is
 * mounted on this server afterwards.
 */
export function mountApiDocs(app: FastifyInstance, { publicUrl, readSchemas }: Needs): void {
  const mounted: Mounted[] = [];
  app.addHook('onRoute', ({ method, url }) => void mounted.push({ method, url }));

  /** Built on the first request: then every route is registered. */
  const pages = lazy(async () => {
    const [subgraphs, publicSdl] = await Promise.all([
      readSchemas(),
      readFile(join(root, 'gateway/schema.graphql'), 'utf8'),
    ]);
    return madeOf(openApiDocument({ publicUrl, subgraphs, publicSdl }, mounted) as OpenApi);
  });
  app.get('/openapi.json', async (_request, response) =>
    response
      .type('application/json')
      .header('cache-control', 'no-cache')
      .send((await pages()).json),
  );

  app.get('/docs/api', async (_request, response) => sendPage(response, (await pages()).overview));
  app.get<{ Params: { section: string } }>('/docs/api/:section', async ({ params }, response) =>
    sendSection(response, (await pages()).sections.get(params.section)),
  );
  for (const [name, type] of Object.entries(files)) {
    app.get(`/docs/api/${name}`, async (_request, response) =>
      response
        .type(type)
        .header('cache-control', 'public, max-age=300')
        .send(await readFile(join(import.meta.dirname, 'pages', name))),
    );
  }
}

const sendSection = (response: FastifyReply, section: string | undefined) =>
  section === undefined ? response.callNotFound() : sendPage(response, section);

interface Made {
  json: string;
  overview: string;
  /** By their slugs. */
  sections: ReadonlyMap<string, string>;
}

function madeOf(document: OpenApi): Made {
  const sections = sectionsOf(withoutReferences(document, document.components.schemas));
  const pageOf = (section: (typeof sections)[number], at: number) =>
    renderPage('api-docs-section.eta', { section, next: sections[at + 1] });
  return {
    json: JSON.stringify(document),
    overview: renderPage('api-docs.eta', overviewOf(document)),
    sections: new Map(sections.map((section, at) => [section.slug, pageOf(section, at)])),
  };
}
