import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

const files = {
  '/foyer.css': ['foyer.css', 'text/css; charset=utf-8'],
  '/favicon.ico': ['favicon.ico', 'image/x-icon'],
  '/copy.js': ['copy.js', 'text/javascript; charset=utf-8'],
  '/login/login.js': ['login/login.js', 'text/javascript; charset=utf-8'],
} as const;

/** Serves the assets of all pages: style sheet, icon, and optional scripts. */
export function mountPageFiles(app: FastifyInstance): void {
  for (const [url, [name, type]] of Object.entries(files)) {
    const content = readFile(join(import.meta.dirname, 'pages', name));
    app.get(url, async (_request, response) =>
      response
        .type(type)
        .headers({ 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' })
        .send(await content),
    );
  }
}
