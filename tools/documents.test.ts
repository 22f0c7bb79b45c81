import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const schema = buildSchema(readFileSync(join(root, 'gateway/schema.graphql'), 'utf8'), { assumeValidSDL: true });
const text = readFileSync(join(root, 'docs/media.md'), 'utf8');
const operations = [...text.matchAll(/^```graphql\n([^]*?)^```/gm)].map(([, operation = '']) => operation);

describe('the operations that docs/media.md shows', () => {
  it.each(operations)('fit the public schema: %s', (operation) => {
    expect(validate(schema, parse(operation)).map(({ message }) => message)).toEqual([]);
  });

  it('are about each use that the document names', () => {
    expect(operations.length).toBeGreaterThanOrEqual(text.match(/^## /gm)?.length ?? 1);
  });
});
