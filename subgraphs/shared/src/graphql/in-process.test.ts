import { buildSchema } from 'graphql';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';

import { Refusal } from '../errors.ts';
import { kindOf } from './data-source.ts';
import { inProcess } from './in-process.ts';
import { operationContext } from './operation-context.ts';

const busy = () => {
  throw new Refusal('UPSTREAM_UNAVAILABLE', 'DATABASE_BUSY', 'The database does not answer in time.');
};
const broken = () => {
  throw new Error('a bug');
};

/** A shop whose orders can be placed, but not read. */
function shop() {
  const schema = buildSchema(`
    type Order { orderNo: ID! places: Int receipt: String }
    type Query { order: Order }
    type Mutation { placeOrder: Order refuseOrder: Order }
  `);
  const { order } = schema.getQueryType()?.getFields() ?? {};
  const { placeOrder, refuseOrder } = schema.getMutationType()?.getFields() ?? {};
  const found = () => ({ orderNo: '1', places: busy, receipt: broken });
  if (order) order.resolve = found;
  if (placeOrder) placeOrder.resolve = found;
  if (refuseOrder) refuseOrder.resolve = busy;
  return inProcess('shop', { schema, contextFor: () => ({}) }, pino({ level: 'silent' }));
}

async function outcomesOf(query: string) {
  const context = operationContext({
    requestId: 'req-1',
    viewer: null,
    client: { address: '', userAgent: '' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  });
  const fetch = { query, kind: kindOf(query), operationName: undefined, variables: {} };
  const { errors = [] } = await shop().fetch(fetch, context);
  return errors.map(({ path, extensions: { code, outcome } }) => [path?.join('.'), code, outcome]);
}

describe('an error of a subgraph', () => {
  it('below the field of a mutation says that the change was made', async () => {
    expect(await outcomesOf('mutation { placeOrder { orderNo places receipt } }')).toEqual([
      ['placeOrder.places', 'UPSTREAM_UNAVAILABLE', 'DONE'],
      ['placeOrder.receipt', 'INTERNAL_SERVER_ERROR', 'DONE'],
    ]);
  });

  it('of the field of a mutation itself, or of a query, says nothing of a change', async () => {
    expect(await outcomesOf('mutation { refuseOrder { orderNo } }')).toEqual([
      ['refuseOrder', 'UPSTREAM_UNAVAILABLE', undefined],
    ]);
    expect(await outcomesOf('{ order { places } }')).toEqual([['order.places', 'UPSTREAM_UNAVAILABLE', undefined]]);
  });
});
