import { createReadStream, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';
import { marked } from 'marked';

import { htmlPage } from './html-page.ts';

const root = join(import.meta.dirname, '../..');

/** `GET /docs/`: the project's own Markdown and its pictures, README first, under the paths that its links use. */
export function mountDocs(app: FastifyInstance): void {
  const files = new Set(globSync(['README.md', 'docs/**/*.md', 'docs/images/*.png'], { cwd: root }));

  app.get('/docs', (_request, response) => response.redirect('/docs/README.md'));
  app.get<{ Params: { '*': string } }>('/docs/*', (request, response) => {
    const file = request.params['*'] || 'README.md';
    if (!files.has(file)) return response.callNotFound();
    if (file.endsWith('.png')) return response.type('image/png').send(createReadStream(join(root, file)));
    const html = marked.parse(readFileSync(join(root, file), 'utf8'), { async: false });
    return htmlPage(response, 'docs.eta', { title: file, html: reachable(html) });
  });
}

/** What is scrolled sideways on a phone is scrolled by the keyboard too. */
const reachable = (html: string) =>
  html.replaceAll('<pre>', '<pre tabindex="0">').replaceAll('<table>', '<table tabindex="0">');
