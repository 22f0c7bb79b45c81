import { buildSchema, getIntrospectionQuery, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';

import { withinLimits } from './limits.ts';

const schema = buildSchema('type Query { me: User } type User { name: String friend: User }');
const limits = { depth: 4, aliases: 3, rootFields: 2, fields: 12 };
const refusals = (query: string) =>
  validate(schema, parse(query), [withinLimits(limits)]).map(({ extensions }) => extensions['reason']);

describe('the limits of an operation', () => {
  it('lets an ordinary one pass', () => {
    expect(refusals('{ me { name friend { friend { name } } } }')).toEqual([]);
  });

  it('counts levels, also those inside fragments', () => {
    expect(refusals('{ me { friend { friend { friend { name } } } } }')).toEqual(['MAX_DEPTH']);
    expect(refusals('{ me { ...F } } fragment F on User { friend { friend { ... { friend { name } } } } }')).toEqual([
      'MAX_DEPTH',
    ]);
  });

  it('counts aliases and root fields', () => {
    expect(refusals('{ me { a: name b: name c: name d: name } }')).toEqual(['MAX_ALIASES']);
    expect(refusals('{ me { name } ... { a: me { name } } ...R } fragment R on Query { b: me { name } }')).toEqual([
      'MAX_ROOT_FIELDS',
    ]);
  });

  it('counts root fields of one name once, and everything else as often as it occurs', () => {
    const thrice = '{ me { name } ... { me { name } } ...R ...R } fragment R on Query { me { friend { name } } }';
    expect(refusals(thrice)).toEqual([]);
    expect(refusals(`{ ${'me { name } '.repeat(7)} }`)).toEqual(['MAX_FIELDS']);
    expect(refusals('{ a: me { name } a: me { name } b: me { name } c: me { name } }')).toEqual([
      'MAX_ALIASES',
      'MAX_ROOT_FIELDS',
    ]);
  });

  it('counts a fragment as often as it is spread, and fast', () => {
    const doubling = Array.from(
      { length: 40 },
      (_, at) => `fragment F${at} on User { ...F${at + 1} ...F${at + 1} }`,
    ).join(' ');

    expect(refusals(`{ me { ...F0 } } ${doubling} fragment F40 on User { name }`)).toEqual(['MAX_FIELDS']);
  });

  it('survives fragments that spread each other', () => {
    expect(refusals('{ me { ...A } } fragment A on User { ...B name } fragment B on User { ...A name }')).toEqual([]);
  });

  it('lets tools read the schema, however deep their query', () => {
    const generous = { ...limits, fields: 400 };

    expect(validate(schema, parse(getIntrospectionQuery()), [withinLimits(generous)])).toEqual([]);
  });
});
