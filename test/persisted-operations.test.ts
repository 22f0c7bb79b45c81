import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { routes } from '@foyer/rest-compat/routes';
import { getOperationAST, parse, print, type DocumentNode } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exampleVariables } from './support/tables/example-calls.ts';
import { closeServer, startServer, type HostedServer } from './support/servers/hosted-server.ts';
import { send, logIn } from './support/fixtures/people.ts';

const file = join(import.meta.dirname, '../rest-compat/persisted-operations.json');
const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
  format: string;
  version: number;
  operations: { id: string; name: string; type: string; body: string }[];
};

let server: HostedServer;
beforeAll(async () => {
  server = await startServer({ TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_ONLY: 'true', LOGIN_FLOOR_MS: '50' });
});
afterAll(() => closeServer(server));

const definitions = ({ definitions }: DocumentNode) => new Set(definitions.map((each) => print(each)));
const idOf = (name: string) => manifest.operations.find((operation) => operation.name === name)?.id;
const ask = (body: object, headers = {}) => send(server, 'POST', '/graphql', { headers, body });

describe('the list of persisted operations', () => {
  it('is a manifest as Apollo writes it', () => {
    expect([manifest.format, manifest.version]).toEqual(['apollo-persisted-query-manifest', 1]);
    expect(new Set(manifest.operations.map(({ id }) => id)).size).toBe(manifest.operations.length);
  });

  it('names the operation of every REST route, as the route runs it', () => {
    const documents = routes.flatMap(({ row }) => (row ? [row.document] : []));
    expect(documents.length).toBeGreaterThan(100);
    for (const document of documents) {
      const listed = manifest.operations.find(({ name }) => name === getOperationAST(document)?.name?.value);
      expect(listed && definitions(parse(listed.body))).toEqual(definitions(document));
    }
  });

  it('contains the only operations of a server with trusted documents', async () => {
    const answers = await Promise.all(
      manifest.operations.map(async ({ id, name, body }) => {
        const operation = getOperationAST(parse(body));
        const { json } = await ask({ documentId: id, variables: operation ? exampleVariables(operation) : {} });
        return { name, codes: (json.errors ?? []).map((error: Refused) => error.extensions.code) };
      }),
    );

    const notRun = new Set([
      'DOCUMENT_NOT_TRUSTED',
      'GRAPHQL_PARSE_FAILED',
      'GRAPHQL_VALIDATION_FAILED',
      'INTERNAL_SERVER_ERROR',
    ]);
    expect(answers.filter(({ codes }) => codes.some((code: string) => notRun.has(code)))).toEqual([]);
    expect((await ask({ query: '{ __typename }' })).json.errors[0].extensions.code).toBe('DOCUMENT_NOT_TRUSTED');
  });

  it('returns the same data by id as REST', async () => {
    const { headers } = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const { json: byRest } = await send(server, 'GET', '/api/v1/identity/users/me', { headers });

    const { json } = await ask({ documentId: idOf('Me') }, headers);

    expect(json.errors).toBeUndefined();
    expect(json.data.me.user.id).toBe(byRest.user.id);
  });
});

interface Refused {
  extensions: { code: string };
}
