import { badInput } from '@foyer/shared/errors';
import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { withSentNames } from './sent-names.ts';

const schema = z.object({
  params: z.object({ user_id: z.string() }),
  body: z
    .object({
      first_name: z.string().optional(),
      ticketGroupId: z.string(),
      items: z.array(z.object({ unitPrice: z.number(), sold_on: z.string() })).min(1),
    })
    .refine(() => true),
});

const told = (...paths: string[]) => {
  const refused = badInput(paths.map((path) => ({ path, message: 'is not valid' })));
  const [error] =
    withSentNames(schema, { errors: [new GraphQLError(refused.message, { extensions: refused.extensions })] }).errors ??
    [];
  return { message: error?.message, errors: error?.extensions['errors'] };
};

describe('a path in a refusal of GraphQL', () => {
  it.each([
    ['input.ticketGroupId', 'ticketGroupId'],
    ['firstName', 'first_name'],
    ['input.firstName', 'first_name'],
    ['input.items.1.unitPrice', 'items.1.unitPrice'],
    ['items.0.soldOn', 'items.0.sold_on'],
    ['items.0.other', 'items.0.other'],
    ['userId', 'user_id'],
    ['ticketGroupId', 'ticketGroupId'],
    ['idempotencyKey', 'idempotencyKey'],
  ])('%s is named %s', (path, sent) => {
    expect(told(path)).toEqual({
      message: `${sent} is not valid.`,
      errors: [{ path: sent, message: 'is not valid' }],
    });
  });

  it('is named for each error', () => {
    expect(told('input.firstName', 'ticketGroupId').errors).toMatchObject([
      { path: 'first_name' },
      { path: 'ticketGroupId' },
    ]);
  });
});

it('other refusals and other errors stay unchanged', () => {
  const errors = [
    new GraphQLError('No.', { extensions: { code: 'CONFLICT', reason: 'SOLD_OUT' } }),
    new GraphQLError('Broken.'),
  ];
  expect(withSentNames(schema, { data: { a: 1 }, errors })).toEqual({ data: { a: 1 }, errors });
  expect(withSentNames(schema, { data: { a: 1 } })).toEqual({ data: { a: 1 } });
});
