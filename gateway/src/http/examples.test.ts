import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import { describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { documentRules } from '../documents/document-store.ts';
import { foyerExamples } from './examples.ts';

describe('the examples of the landing page', () => {
  const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../schema.graphql'), 'utf8'));

  it.each(foyerExamples())('can be run: $title', ({ title, document }) => {
    expect(title).not.toBe('');
    expect(validate(schema, parse(document), [...specifiedRules, ...documentRules(readConfig({}))])).toEqual([]);
  });
});
