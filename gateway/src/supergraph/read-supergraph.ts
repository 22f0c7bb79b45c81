import { DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES } from '@apollo/federation-internals';
import { ConfigError } from '@foyer/shared/config/config';
import { Kind, parse, type ConstDirectiveNode, type DocumentNode } from 'graphql';

/** What the planner's library refuses because it does not enforce it; this gateway does (authorization/). */
const ENFORCED_HERE = new Set([
  'https://specs.apollo.dev/authenticated/v0.1',
  'https://specs.apollo.dev/requiresScopes/v0.1',
  'https://specs.apollo.dev/policy/v0.1',
]);

/**
 * Parses a supergraph for the planner's library.
 *
 * @returns it without `for: SECURITY` on the features that this gateway enforces itself
 * @throws {ConfigError} when it relies on another feature that neither the library nor this gateway carries out
 */
export function readSupergraph(sdl: string): DocumentNode {
  const { definitions, ...document } = parse(sdl, { noLocation: true });
  return {
    ...document,
    definitions: definitions.map((node) =>
      node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION
        ? { ...node, directives: node.directives?.map(supported) ?? [] }
        : node,
    ),
  };
}

/** A link to a feature; only those with a purpose (`for`) must be understood. */
function supported(link: ConstDirectiveNode): ConstDirectiveNode {
  if (argumentOf(link, 'for') === undefined) return link;
  const url = argumentOf(link, 'url') ?? argumentOf(link, 'feature') ?? '';
  if (ENFORCED_HERE.has(url)) {
    return { ...link, arguments: (link.arguments ?? []).filter(({ name }) => name.value !== 'for') };
  }
  if (DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES.has(url)) return link;
  const name = url.split('/').at(-2) ?? url;
  throw new ConfigError(`the supergraph relies on "${name}" (${url}), which this gateway does not support`);
}

function argumentOf({ arguments: given = [] }: ConstDirectiveNode, name: string): string | undefined {
  const value = given.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : undefined;
}
