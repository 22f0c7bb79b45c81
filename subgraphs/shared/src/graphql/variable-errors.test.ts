import { buildSchema, getVariableValues, GraphQLError, parse, type OperationDefinitionNode } from 'graphql';
import { describe, expect, it } from 'vitest';

import { wrongVariable } from './variable-errors.ts';

const schema = buildSchema(`
  type Query { order(input: Order!): String }
  enum Standing { ACTIVE DISABLED }
  input Order { no: ID! items: [Item!]! standing: Standing paid: Boolean }
  input Item { count: Int! name: String price: Float }
`);

function wrongWith(input: unknown) {
  const { definitions } = parse('query ($input: Order!) { order(input: $input) }');
  const { variableDefinitions = [] } = definitions[0] as OperationDefinitionNode;
  const { errors = [] } = getVariableValues(schema, variableDefinitions, input === undefined ? {} : { input }, {
    hideSuggestions: true,
  });
  return errors.map(wrongVariable).map(({ path, message }) => `${path} ${message}`);
}

const item = { count: 1 };

describe('an error about a variable is in plain words', () => {
  it.each([
    [undefined, 'input is missing'],
    [null, 'input must not be null'],
    ['A1', 'input must be an object'],
    [{ no: 'A1' }, 'items is missing'],
    [{ no: {}, items: [] }, 'no must be an id'],
    [{ no: 'A1', items: [item, null] }, 'items.1 must not be null'],
    [{ no: 'A1', items: [{}] }, 'items.0.count is missing'],
    [{ no: 'A1', items: [{ count: 1.5 }] }, 'items.0.count must be a whole number'],
    [{ no: 'A1', items: [{ count: 3e9 }] }, 'items.0.count must be between -2147483648 and 2147483647'],
    [{ no: 'A1', items: [{ ...item, name: 7 }] }, 'items.0.name must be text'],
    [{ no: 'A1', items: [{ ...item, price: 'x at "y"; z' }] }, 'items.0.price must be a number'],
    [{ no: 'A1', items: [item], standing: 'LOST' }, 'standing is none of the values that it may have'],
    [{ no: 'A1', items: [item], standing: 7 }, 'standing is none of the values that it may have'],
    [{ no: 'A1', items: [item], paid: 'yes' }, 'paid must be true or false'],
    [{ no: 'A1', items: [item], more: 1 }, 'more is not known here'],
  ])('%j: %s', (input, words) => {
    expect(wrongWith(input)).toEqual([words]);
  });
});

it.each([
  ['Variable "$from" got invalid value 1.5; Expected type LocalDate.', 'from must be a date such as 2026-11-22'],
  [
    'Variable "$at" got invalid value "x"; Expected type DateTime; DateTime cannot represent x.',
    'at must be a time such as 2026-11-22T10:00:00Z',
  ],
  ['Expected value of type "Date!", found "x"; There is no year 0.', ' There is no year 0.'],
])('so is an error of a subgraph: %s', (said, words) => {
  const { path, message } = wrongVariable(new GraphQLError(said));
  expect(`${path} ${message}`).toBe(words);
});
