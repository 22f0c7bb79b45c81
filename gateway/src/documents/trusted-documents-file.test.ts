import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readTrustedDocuments } from './trusted-documents-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-documents-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, 'trusted.json');
  writeFileSync(file, text);
  return file;
}

describe('a file of trusted documents', () => {
  it.each([
    ['a manifest', { format: 'apollo-persisted-query-manifest', operations: [{ id: 'a', body: '{ a }', name: 'A' }] }],
    ['a map', { a: '{ a }' }],
  ])('may be %s', (_what, documents) => {
    expect([...readTrustedDocuments(fileOf(JSON.stringify(documents)))]).toEqual([['a', '{ a }']]);
  });

  it('may have the same document twice', () => {
    const operation = { id: 'a', body: '{ a }' };

    expect([...readTrustedDocuments(fileOf(JSON.stringify({ operations: [operation, operation] })))]).toEqual([
      ['a', '{ a }'],
    ]);
  });

  it('may have a document with the id operations', () => {
    expect([...readTrustedDocuments(fileOf('{"operations":"{ a }"}'))]).toEqual([['operations', '{ a }']]);
  });

  it.each([
    [
      'a body that is missing',
      '{"operations":[{"id":"a","body":"{ a }"},{"id":"b"}]}',
      'operations[1].body must be text',
    ],
    ['operations that are no list', '{"operations":{"a":"{ a }"}}', 'operations must be a list'],
    ['an operation that is no object', '{"operations":["{ a }"]}', 'operations[0] must be an object'],
    ['a document that is no text', '{"a":"{ a }","b":7}', 'b must be text'],
    [
      'an id of two documents',
      '{"operations":[{"id":"a","body":"{ a }"},{"id":"a","body":"{ b }"}]}',
      'operations[1] has the id of another document: "a"',
    ],
    [
      'a body that is no document',
      '{"operations":[{"id":"a","body":"{ a }"},{"id":"b","body":"{ b"}]}',
      'operations[1] is no GraphQL document (Syntax Error: Expected Name, found <EOF>.)',
    ],
    ['a document that is empty', '{"a":""}', 'a is no GraphQL document (Syntax Error: Unexpected <EOF>.)'],
    ['a list', '[]', 'it must be an object'],
    ['nothing', 'null', 'it must be an object'],
    ['what is no JSON', 'query {\n  a\n}', 'it is no JSON (Unexpected token'],
    ['no text', '', 'it is no JSON (Unexpected end of JSON input)'],
  ])('with %s is refused in one line that says where', (_what, text, why) => {
    const file = fileOf(text);
    const refusal = expect.objectContaining({
      name: 'ConfigError',
      message: expect.stringMatching(/^[^\n]+$/),
    });

    expect(() => readTrustedDocuments(file)).toThrow(refusal);
    expect(() => readTrustedDocuments(file)).toThrow(`TRUSTED_DOCUMENTS: ${file}: ${why}`);
  });

  it('that is missing is refused by its name', () => {
    const file = join(folder, 'none.json');

    expect(() => readTrustedDocuments(file)).toThrow(`TRUSTED_DOCUMENTS: ${file}: it can't be read (ENOENT)`);
  });
});
