import { kindOf } from '@foyer/shared/graphql/data-source';
import type { OperationContext } from '@foyer/shared/graphql/operation-context';
import { markFailed, traced } from '@foyer/shared/telemetry/tracing';

import type { SubgraphDataSource } from './subgraph-data-source.ts';

/** A data source whose fetches are in the trace and the slow-operation log of their operation, whichever executor sends them. */
export const recorded = (subgraph: string, source: SubgraphDataSource): SubgraphDataSource => ({
  async process(options) {
    if (!('incomingRequestContext' in options)) return source.process(options); // no client caused it
    const { fetches } = options.context as OperationContext;
    const attributes = { 'foyer.subgraph': subgraph, 'graphql.operation.type': kindOf(options.request.query ?? '') };
    return traced(`fetch ${subgraph}`, { attributes }, async (span) => {
      const started = performance.now();
      try {
        const answer = await source.process(options);
        if (answer.errors?.[0]) markFailed(span, answer.errors[0]);
        return answer;
      } finally {
        fetches.push({ subgraph, ms: performance.now() - started });
      }
    });
  },
  ...(source.subscribe && { subscribe: source.subscribe.bind(source) }),
  ...(source.close && { close: source.close.bind(source) }),
});
