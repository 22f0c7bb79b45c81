import { Supergraph as ComposedSupergraph } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';

import { readSupergraph } from '../supergraph/read-supergraph.ts';
import { supergraphOf, type Supergraph, type SupergraphOptions } from '../supergraph/supergraph.ts';

/** Loads a supergraph without a gateway. @throws when the SDL is not a valid supergraph */
export function loadSupergraph(sdl: string, options: SupergraphOptions = {}): Supergraph {
  const composed = ComposedSupergraph.build(readSupergraph(sdl));
  return supergraphOf(new QueryPlanner(composed), composed.apiSchema().toGraphQLJSSchema(), options);
}
