import { createReadStream, globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

import type { FastifyInstance } from 'fastify';
import { marked } from 'marked';

import { renderPage, sendPage } from './html-page.ts';

const root = join(import.meta.dirname, '../../..');

/** The documents of the navigation, in this order. */
const documents = [
  ['README.md', 'README'],
  ['docs/getting-started.md', 'Getting started'],
  ['docs/architecture.md', 'Architecture'],
  ['docs/operations.md', 'Operations'],
  ['docs/federation.md', 'Federation'],
  ['docs/security.md', 'Security'],
  ['docs/migration.md', 'Migration'],
  ['docs/conformance.md', 'Conformance'],
  ['docs/adding-a-slice.md', 'Adding a slice'],
  ['docs/errors.md', 'Errors'],
  ['docs/glossary.md', 'Glossary'],
  ['docs/benchmarks.md', 'Benchmarks'],
  ['docs/decisions/README.md', 'Decisions'],
] as const;

/** Other files that documents link. */
const types: Readonly<Record<string, string>> = { '.png': 'image/png', '.json': 'application/json' };

/** `GET /docs/`: the project's own Markdown and its images, README first, under the paths that its links use. */
export function mountDocs(app: FastifyInstance): void {
  const files = new Set(globSync(['README.md', 'docs/**/*.md', 'docs/images/*.png', 'docs/*.json'], { cwd: root }));
  const made = new Map<string, string>(); // documents don't change while the server runs

  app.get('/docs', (_request, response) => response.redirect('/docs/README.md'));
  app.get<{ Params: { '*': string } }>('/docs/*', (request, response) => {
    const file = request.params['*'] || 'README.md';
    if (!files.has(file)) return response.callNotFound();
    const type = types[extname(file)];
    if (type) return response.type(type).send(createReadStream(join(root, file)));
    const page = made.get(file) ?? pageOf(file);
    made.set(file, page);
    return sendPage(response, page);
  });
}

function pageOf(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
  const html = reachable(marked.parse(text, { async: false }));
  return renderPage('docs.eta', { title, file, html, documents });
}

/** Makes elements that scroll sideways scrollable by keyboard, too. */
const reachable = (html: string) =>
  html.replaceAll('<pre>', '<pre tabindex="0">').replaceAll('<table>', '<table tabindex="0">');
