import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readSettings } from '../configuration-file/settings.ts';
import { openStandalone, type Standalone } from '../standalone.ts';
import { guardedBlog } from '../testing/guarded-blog.ts';
import { startKeyServer, type KeyServer } from '../testing/key-server.ts';
import { serveSubgraph, type RemoteSubgraph } from '../testing/remote-shops.ts';

let folder: string;
let keys: KeyServer;
let people: RemoteSubgraph;
let blog: RemoteSubgraph;
let gateway: Standalone;

beforeEach(async () => {
  const { supergraphSdl, schemas } = guardedBlog();
  folder = await mkdtemp(join(tmpdir(), 'foyer-claims-'));
  keys = await startKeyServer();
  people = await serveSubgraph(schemas.people);
  blog = await serveSubgraph(schemas.blog);
  const [config, supergraph] = [join(folder, 'gateway.json'), join(folder, 'supergraph.graphql')];
  await writeFile(supergraph, supergraphSdl);
  await writeFile(
    config,
    JSON.stringify({
      listen: { port: 0 },
      overrideSubgraphUrl: { people: people.url, blog: blog.url },
      authentication: { jwt: { jwks: [{ url: keys.url }] } },
    }),
  );
  const settings = await readSettings({}, { config, supergraph });
  gateway = await openStandalone({ settings, supergraphSdl, log: pino({ level: 'silent' }) });
});
afterEach(async () => {
  await gateway.stop();
  await Promise.all([people.die(), blog.die(), keys.stop()]);
  await rm(folder, { recursive: true });
});

async function ask(claims?: Record<string, unknown>): Promise<{ data: unknown }> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(claims && { authorization: `Bearer ${await keys.sign(claims)}` }),
    },
    body: JSON.stringify({ query: '{ user(id: "1") { name email salary status } }' }),
  });
  return (await response.json()) as { data: unknown };
}

describe('the claims of a token', () => {
  it.each<[string, Record<string, unknown> | undefined, object]>([
    ['nothing without one', undefined, { email: null, salary: null, status: null }],
    ['@authenticated with any', {}, { email: '1@example.com', salary: null, status: null }],
    ['@requiresScopes by scope', { scope: 'hr read:salary' }, { email: '1@example.com', salary: 5_000, status: null }],
    ['@requiresScopes by scp', { scp: ['admin'] }, { email: '1@example.com', salary: 5_000, status: null }],
    ['@policy by policies', { policies: ['friend'] }, { email: '1@example.com', salary: null, status: 'HAPPY' }],
  ])('open %s', async (_what, claims, user) => {
    expect((await ask(claims)).data).toEqual({ user: { name: 'name 1', ...user } });
  });
});
