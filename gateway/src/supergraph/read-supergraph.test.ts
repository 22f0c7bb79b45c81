import { composeServices } from '@apollo/composition';
import { ConfigError } from '@foyer/shared/config/config';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';

import { guardedBlog } from '../testing/guarded-blog.ts';
import { loadSupergraph } from '../testing/load-supergraph.ts';

function supergraphOf(...typeDefs: string[]): string {
  const services = typeDefs.map((sdl, at) => ({ name: `s${at}`, url: 'http://nowhere.test', typeDefs: parse(sdl) }));
  const { supergraphSdl, errors } = composeServices(services);
  if (!supergraphSdl) throw new Error(errors?.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

const federation = (imports: string) =>
  `extend schema @link(url: "https://specs.apollo.dev/federation/v2.10", import: [${imports}])`;

const withContext = supergraphOf(`${federation('"@key", "@context", "@fromContext"')}
  type Query { user: User }
  type User @key(fields: "id") @context(name: "user") { id: ID! locale: String! bill: Bill! }
  type Bill @key(fields: "id") { id: ID! text(locale: String @fromContext(field: "$user { locale }")): String }`);

const withConnector = supergraphOf(`${federation('"@key"')}
  @link(url: "https://specs.apollo.dev/connect/v0.1", import: ["@connect"])
  type Query { users: [String] @connect(http: { GET: "http://nowhere.test/users" }, selection: "$") }`);

const plain = supergraphOf('type Query { a: Int }');
const withUnknown = plain.replace(
  '@link(url: "https://specs.apollo.dev/join',
  '@link(url: "https://example.com/rounding/v1.0", for: EXECUTION) @link(url: "https://specs.apollo.dev/join',
);

describe('a supergraph is refused in one line', () => {
  it.each([
    ['with @context', withContext, 'context', 'https://specs.apollo.dev/context/v0.1'],
    ['with connectors', withConnector, 'connect', 'https://specs.apollo.dev/connect/v0.3'],
    ['with a feature that nobody here knows', withUnknown, 'rounding', 'https://example.com/rounding/v1.0'],
  ])('%s', (_what, sdl, name, url) => {
    expect(() => loadSupergraph(sdl)).toThrow(
      new ConfigError(`the supergraph relies on "${name}" (${url}), which this gateway does not support`),
    );
  });
});

it('a feature without a purpose needs no support', () => {
  const noted = withUnknown.replace(', for: EXECUTION) @link', ') @link');

  expect(loadSupergraph(noted).publicSchema.getQueryType()?.getFields()).toHaveProperty('a');
});

it('directives of authorization are not in the public schema', () => {
  const names = loadSupergraph(guardedBlog().supergraphSdl)
    .publicSchema.getDirectives()
    .map(({ name }) => name);

  expect(names).not.toContain('authenticated');
  expect(names).not.toContain('policy');
});
