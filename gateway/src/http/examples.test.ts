import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { documentReader } from '../admission/documents.ts';
import { foyerExamples } from './examples.ts';

describe('the examples of the landing page', () => {
  const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../schema.graphql'), 'utf8'));
  const read = documentReader(readConfig({}));

  it.each(foyerExamples())('can be run: $title', ({ title, document }) => {
    expect(title).not.toBe('');
    expect(read(schema, document)).toMatchObject({ kind: 'Document' });
  });
});
