import { expect, it } from 'vitest';

import { sharedServer } from './support/servers/shared-server.ts';

const START = '/docs/README.md';

it('every link from one document of the server to another leads somewhere', async () => {
  const server = await sharedServer();
  const seen = new Set([START]);
  const broken: string[] = [];
  for (const path of seen) {
    const response = await fetch(new URL(path, server.url));
    const text = await response.text();
    if (response.status !== 200) broken.push(`${response.status} ${path}`);
    else if (path.endsWith('.md'))
      for (const [, href = ''] of text.matchAll(/\bhref="([^"]*)"/g)) {
        const target = new URL(href, new URL(path, server.url));
        if (target.origin === server.url && target.pathname.startsWith('/docs')) seen.add(target.pathname);
      }
  }
  expect(broken).toEqual([]);
  expect(seen.size).toBeGreaterThan(100);
});
