import { ConfigError } from '@foyer/shared/config/config';
import { Kind, OperationTypeNode, parse, visit, type ConstDirectiveNode, type DirectiveNode } from 'graphql';

import type { Settings } from './settings.ts';

/** The settings that name parts of the supergraph, and the keys by which people know them. */
interface Naming {
  addresses: Settings['addresses'];
  config: Pick<Settings['config'], 'subgraphs' | 'streams' | 'overrideLabels'>;
  keys: Pick<Settings['keys'], 'shared' | 'labels'>;
}

/** @throws {ConfigError} when the settings name what the supergraph does not have: most likely a typing error */
export function assertNamesKnown({ addresses, config, keys }: Naming, supergraphSdl: string): void {
  const { subgraphs, labels, streams } = namesIn(supergraphSdl);
  const bySubgraph = {
    overrideSubgraphUrl: addresses,
    'headers.subgraphs': config.subgraphs.headers.subgraphs,
    'trafficShaping.subgraphs': config.subgraphs.timeoutsMs,
  };
  const named = Object.entries(bySubgraph).flatMap(([key, byName]) => Object.keys(byName).map((name) => [key, name]));
  const ofFields = config.streams.shared.filter((name) => name !== '*').map((name) => [keys.shared, name]);
  const problems = [
    unknownIn(named, subgraphs, 'subgraphs'),
    unknownIn(ofFields, streams, 'fields of subscriptions'),
    unknownIn(
      config.overrideLabels.map((name) => [keys.labels, name]),
      labels,
      'labels of @override',
    ),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
}

function unknownIn(named: readonly string[][], known: ReadonlySet<string>, what: string): string | undefined {
  const unknown = named.filter(([, name = '']) => !known.has(name)).map((path) => path.join('.'));
  if (unknown.length === 0) return undefined;
  const has = known.size > 0 ? `only the ${what} ${[...known].join(', ')}` : `no ${what}`;
  return `${unknown.join(', ')}: the supergraph has ${has}`;
}

/** The names of subgraphs and labels (the join spec), and those of the root fields of subscriptions. */
function namesIn(supergraphSdl: string) {
  const document = parse(supergraphSdl);
  const subgraphs = new Set<string>();
  const labels = new Set<string>();
  visit(document, {
    Directive(directive) {
      const name = directive.name.value === 'join__graph' && textIn(directive, 'name');
      const label = directive.name.value === 'join__field' && textIn(directive, 'overrideLabel');
      if (name) subgraphs.add(name);
      if (label) labels.add(label);
    },
  });
  const root = document.definitions
    .flatMap((node) => (node.kind === Kind.SCHEMA_DEFINITION ? node.operationTypes : []))
    .find(({ operation }) => operation === OperationTypeNode.SUBSCRIPTION)?.type.name.value;
  const streams = document.definitions.flatMap((node) =>
    node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value === root ? (node.fields ?? []) : [],
  );
  return { subgraphs, labels, streams: new Set(streams.map(({ name }) => name.value)) };
}

function textIn({ arguments: given = [] }: DirectiveNode | ConstDirectiveNode, name: string): string | undefined {
  const value = given.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}
