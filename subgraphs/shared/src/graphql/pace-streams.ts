import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql';

import { paced } from '../events/paced.ts';

type StreamField = GraphQLField<{ event: unknown; taken: () => void }, object>;

/**
 * Makes every stream of a subgraph yield its next event only when the last one is resolved. The gateway reads ahead, and
 * drops the oldest events of a client that is slow: so at most one waits there, and the others in their store.
 */
export function paceStreams(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) pace(field as StreamField);
  return schema;
}

function pace(field: StreamField): void {
  const { subscribe, resolve = defaultFieldResolver } = field;
  if (!subscribe) return;
  field.subscribe = async (...call) => {
    const events = ((await subscribe(...call)) as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    const items = paced(events, (event, taken) => ({ event, taken }));
    return { ...items, [Symbol.asyncIterator]: () => items };
  };
  field.resolve = ({ event, taken }, ...call) => {
    taken();
    return resolve(event as never, ...call);
  };
}
