import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';

let server: ExampleServer;
afterEach(() => server.stop());

const two = 'query A { user(id: 1) { name } } query B { user(id: 2) { name } }';

async function ask(body: object) {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: { extensions: { code: string } }[] };
  return [response.status, data ?? errors?.[0]?.extensions.code];
}

describe('an operation name', () => {
  it.each([
    ['by every limit', {}],
    ['without limits of cost and planning', { GRAPHQL_PLANNING_MS: '0', GRAPHQL_MAX_COST: '0' }],
  ])('that the document lacks is refused %s', async (_what, env) => {
    server = await startExampleServer(env);
    expect(await ask({ query: two, operationName: 'C' })).toEqual([400, 'OPERATION_RESOLUTION_FAILURE']);
    expect(await ask({ query: two })).toEqual([400, 'OPERATION_RESOLUTION_FAILURE']);
  });

  it('that is empty is none', async () => {
    server = await startExampleServer();
    const answer = { user: { name: 'Aminah' } };
    expect(await ask({ query: 'query A { user(id: 1) { name } }', operationName: '' })).toEqual([200, answer]);
    expect(await ask({ query: two, operationName: '' })).toEqual([400, 'OPERATION_RESOLUTION_FAILURE']);
  });

  it('of a trusted document is not looked at for a caller who sends too many requests', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trusted-'));
    const file = join(folder, 'documents.json');
    await writeFile(file, JSON.stringify({ two }));
    server = await startExampleServer({ TRUSTED_DOCUMENTS: file, GRAPHQL_REQUESTS_PER_ADDRESS: '1' });
    await rm(folder, { recursive: true });
    await ask({ documentId: 'two', operationName: 'A' });

    expect(await ask({ documentId: 'two', operationName: 'A' })).toEqual([429, 'RATE_LIMITED']);
  });
});

describe('a method other than GET and POST', () => {
  it.each(['PUT', 'DELETE', 'HEAD'])('is refused: %s', async (method) => {
    server = await startExampleServer();
    const { status, headers } = await fetch(server.url, { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
  });
});
