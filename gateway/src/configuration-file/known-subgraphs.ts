import { ConfigError } from '@foyer/shared/config/config';
import { Kind, parse, visit } from 'graphql';

import type { Settings } from './settings.ts';

/** @throws {ConfigError} when the settings name subgraphs that the supergraph does not have: most likely a typing error */
export function assertSubgraphsKnown({ addresses, config }: Settings, supergraphSdl: string): void {
  const known = subgraphsOf(supergraphSdl);
  const named = {
    overrideSubgraphUrl: addresses,
    'headers.subgraphs': config.subgraphs.headers.subgraphs,
    'trafficShaping.subgraphs': config.subgraphs.timeoutsMs,
  };
  const unknown = Object.entries(named).flatMap(([key, byName]) =>
    Object.keys(byName).flatMap((name) => (known.has(name) ? [] : [`${key}.${name}`])),
  );
  if (unknown.length === 0) return;
  throw new ConfigError(`${unknown.join(', ')}: the supergraph has only the subgraphs ${[...known].join(', ')}`);
}

/** The names in `enum join__Graph` (the join spec). */
function subgraphsOf(supergraphSdl: string): Set<string> {
  const names = new Set<string>();
  visit(parse(supergraphSdl), {
    Directive({ name, arguments: given = [] }) {
      if (name.value !== 'join__graph') return;
      for (const { name, value } of given) {
        if (name.value === 'name' && value.kind === Kind.STRING) names.add(value.value);
      }
    },
  });
  return names;
}
