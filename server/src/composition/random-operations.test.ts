import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { comparable, executors } from '@foyer/gateway/testing/executors';
import { randomQuery } from '@foyer/gateway/testing/random-query';
import {
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { expect, it } from 'vitest';

import { describedSchemas } from './subgraph-schemas.ts';

/** As many more as are wanted: `RANDOM_OPERATIONS=3000 npx -y pnpm test random-operations`. */
const OPERATIONS = Number(process.env['RANDOM_OPERATIONS'] ?? 300);

/** An object of a subgraph: its id is one of a few, so that an entity occurs in many places. */
interface Stub {
  __typename: string;
  id: string;
}

const numberOf = (seed: string): number => createHash('sha256').update(seed).digest().readUInt32BE();

/** Resolves every field by a hash of its object, its name and its arguments: sometimes to null, sometimes to an error. */
function stubbed(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('_')) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.name.startsWith('_')) continue; // the fields of Federation
      field.resolve = (parent: Partial<Stub> | undefined, args) => {
        if (field.name === 'id' && parent?.id) return parent.id;
        const seed = [type.name, parent?.id, field.name, JSON.stringify(args)].join(' ');
        if (numberOf(`failure ${seed}`) % 40 === 0) throw new Error(`${field.name} failed on purpose`);
        return valueOf(schema, field.type, seed);
      };
    }
  }
  return schema;
}

function valueOf(schema: GraphQLSchema, type: GraphQLOutputType, seed: string, mayBeNull = true): unknown {
  if (isNonNullType(type)) return valueOf(schema, type.ofType, seed, false);
  const number = numberOf(seed);
  if (mayBeNull && number % 10 === 0) return null;
  if (!isListType(type)) return singleValueOf(schema, type, number);
  return Array.from({ length: number % 4 }, (_, at) => valueOf(schema, type.ofType, `${seed} ${at}`));
}

function singleValueOf(schema: GraphQLSchema, type: GraphQLNamedType, number: number): unknown {
  if (isEnumType(type)) return type.getValues()[number % type.getValues().length]?.value;
  if (isCompositeType(type)) {
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
    return { __typename: possible[number % possible.length]?.name, id: String(number % 5) };
  }
  if (type.name === 'Boolean') return number % 2 === 0;
  if (type.name === 'Int' || type.name === 'Float') return number % 1_000;
  return `${type.name} ${number % 1_000}`;
}

it('random operations over all of Foyer get the same answers of both executors', async () => {
  const [identity, ticketing, media] = (await describedSchemas()).map(stubbed);
  const supergraphSdl = readFileSync(join(import.meta.dirname, '../../../gateway/supergraph.graphql'), 'utf8');
  const schemas = { identity, ticketing, media } as Record<string, GraphQLSchema>;
  const { supergraph, ours, stock } = executors({ supergraphSdl, schemas });
  const counts = { operations: 0, withErrors: 0, across: 0 };
  for (let seed = 1; counts.operations < OPERATIONS; seed += 1) {
    const query = randomQuery(supergraph.publicSchema, seed);
    const document = parse(query);
    if (validate(supergraph.publicSchema, document).length > 0) continue; // fields that can't be merged
    const subgraphs = new Set<string>();
    const expected = await stock(document, {}, (subgraph, answer) => {
      subgraphs.add(subgraph);
      return answer;
    });
    const answer = await ours(document, {}, (_subgraph, same) => same);
    expect({ seed, query, ...comparable(answer) }).toEqual({ seed, query, ...comparable(expected) });
    counts.operations += 1;
    counts.withErrors += expected.errors ? 1 : 0;
    counts.across += subgraphs.size > 1 ? 1 : 0;
  }
  expect(counts.withErrors).toBeGreaterThan(OPERATIONS / 10);
  expect(counts.across).toBeGreaterThan(OPERATIONS / 10);
});
