import { createReadStream, globSync, readFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';

import { lazy } from '@foyer/shared/lazy';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { drawingOf } from './drawing.ts';
import { htmlPage } from './html-page.ts';
import { renderMarkdown, textOf, type Document } from './markdown.ts';
import { searchIn, type Section } from './search.ts';

const root = join(import.meta.dirname, '../../..');

/** The documents of the navigation, in this order. */
const documents = [
  ['README.md', 'README'],
  ['docs/getting-started.md', 'Getting started'],
  ['docs/architecture.md', 'Architecture'],
  ['docs/operations.md', 'Operations'],
  ['docs/federation.md', 'Federation'],
  ['docs/standalone-gateway.md', 'The standalone gateway'],
  ['docs/scaling.md', 'Scaling'],
  ['docs/media.md', 'Working with media'],
  ['docs/security.md', 'Security'],
  ['docs/migration.md', 'Migration'],
  ['docs/conformance.md', 'Conformance'],
  ['docs/adding-a-slice.md', 'Adding a slice'],
  ['docs/testing.md', 'Testing'],
  ['docs/errors.md', 'Errors'],
  ['docs/glossary.md', 'Glossary'],
  ['docs/benchmarks.md', 'Benchmarks'],
  ['docs/decisions/README.md', 'Decisions'],
] as const;

/** Other files that documents link. */
const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/**
 * `GET /docs/`: the project's own Markdown and its images, README first, under the paths that its links use;
 * `GET /docs/search?q=` searches all of it.
 *
 * @param publicUrl the address of this server, which stands in the documents for that of the first start
 */
export function mountDocs(app: FastifyInstance, { publicUrl }: { publicUrl: string }): void {
  const patterns = ['*.md', 'docs/**/*.md', 'docs/images/*.{png,svg}', 'docs/*.json'];
  const files = new Set(globSync(patterns, { cwd: root }));
  const made = new Map<string, Document>(); // documents don't change while the server runs

  function documentAt(file: string): Document {
    const drawing = (number: number) => `/docs/${drawingOf(file, number)}`;
    const isServed = (href: string) => files.has(posix.join(posix.dirname(file), href.replace(/[?#].*$/s, '')));
    const document =
      made.get(file) ?? renderMarkdown(readFileSync(join(root, file), 'utf8'), { publicUrl, drawing, isServed });
    made.set(file, document);
    return document;
  }
  const search = lazy(async () =>
    searchIn([...files].filter((file) => file.endsWith('.md')).flatMap((file) => sectionsOf(file, documentAt(file)))),
  );

  app.get('/docs', (_request, response) => response.redirect('/docs/README.md'));
  const searchPage = async (query: string, response: FastifyReply) => {
    const found = query.trim() === '' ? [] : (await search())(query);
    return htmlPage(response, 'docs-search.eta', { title: 'Search', documents, file: '', query, found });
  };
  app.get<{ Querystring: { q?: string | string[] } }>('/docs/search', (request, response) =>
    searchPage([request.query.q ?? ''].flat().join(' '), response),
  );
  app.get<{ Params: { '*': string } }>('/docs/*', (request, response) => {
    const file = request.params['*'] || 'README.md';
    if (!files.has(file)) return response.callNotFound();
    const type = types[extname(file)];
    if (type) return response.type(type).send(createReadStream(join(root, file)));
    const { title, html, headings } = documentAt(file);
    const contents = headings.filter(({ level }) => level === 2 || level === 3);
    return htmlPage(response, 'docs.eta', { title: title || file, file, html, documents, contents, query: '' });
  });
}

/** Cuts a document at its headings. */
function sectionsOf(file: string, { title, html, headings }: Document): Section[] {
  const parts = html.split(/<h[1-6] id="[^"]*">.*?<\/h[1-6]>/s);
  return parts.map((part, number) => {
    const heading = headings[number - 1];
    const text = textOf(part);
    return { file, document: title || file, anchor: heading?.id ?? '', heading: heading?.text ?? title, text };
  });
}
