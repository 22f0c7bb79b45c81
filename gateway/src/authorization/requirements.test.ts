import { Supergraph } from '@apollo/federation-internals';
import { expect, it } from 'vitest';

import { compose } from '../supergraph/compose.ts';
import { readSupergraph } from '../supergraph/read-supergraph.ts';
import { requirementsOf, type Requirements } from './requirements.ts';

const federation = (imports: string) =>
  `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", ${imports}])`;

const composed = (...typeDefs: string[]): string =>
  compose(typeDefs.map((sdl, at) => ({ name: `s${at}`, url: 'http://nowhere.test', typeDefs: sdl }))).supergraphSdl;

function requirementsIn(supergraphSdl: string): Requirements {
  const requirements = requirementsOf(Supergraph.build(readSupergraph(supergraphSdl)).schema);
  if (!requirements) throw new Error('the supergraph has no requirements');
  return requirements;
}

const authenticated = { authenticated: true, scopes: [], policies: [] };

it('a supergraph without the directives has no requirements', () => {
  expect(requirementsOf(Supergraph.build(composed('type Query { a: Int }')).schema)).toBeUndefined();
});

it('the directives are found under other names', () => {
  const sdl = composed(`${federation('{ name: "@authenticated", as: "@loggedIn" }')} type Query { a: Int @loggedIn }`);

  expect(sdl).toContain('@loggedIn');
  expect(requirementsIn(sdl).ofField('Query', 'a').all).toEqual([authenticated]);
});

it('a guarded root type guards all of its fields', () => {
  const sdl = composed(`${federation('"@authenticated"')}
    type Query { a: Int } type Mutation @authenticated { b: Int c: Int }`);

  expect(requirementsIn(sdl).ofField('Mutation', 'c').all).toEqual([authenticated]);
});

it('subgraphs that share a field must all be satisfied', () => {
  const sdl = composed(
    `${federation('"@requiresScopes"')} type Query { a: Int @shareable @requiresScopes(scopes: [["x"], ["y"]]) }`,
    `${federation('"@requiresScopes"')} type Query { a: Int @shareable @requiresScopes(scopes: [["z"]]) }`,
    `${federation('"@authenticated"')} type Query { a: Int @shareable @authenticated }`,
  );
  const scopes = [
    ['x', 'z'],
    ['y', 'z'],
  ];

  expect(requirementsIn(sdl).ofField('Query', 'a').all).toEqual([{ authenticated: true, scopes, policies: [] }]);
});

it.each([
  ['no alternative', '[]'],
  ['an empty one', '[["x"], []]'],
])('%s is no requirement, as in the router', (_what, scopes) => {
  const sdl = composed(`${federation('"@requiresScopes"')} type Query { a: Int @requiresScopes(scopes: ${scopes}) }`);

  expect(requirementsIn(sdl).ofField('Query', 'a').all).toEqual([]);
});

const animals = composed(`${federation('"@authenticated", "@requiresScopes"')}
  type Query { animal: Animal }
  interface Animal { id: ID! }
  type Cat implements Animal @authenticated @requiresScopes(scopes: [["cats", "all"]]) { id: ID! }
  type Dog implements Animal @requiresScopes(scopes: [["dogs"], ["pets"]]) { id: ID! }
  type Fish implements Animal { id: ID! }`);

it('an interface does not require what composition has copied from its objects', () => {
  expect(animals).toMatch(/interface Animal\n(?:  @.*\n)*  @authenticated/u);
  const { all, oneOf, ofMembers } = requirementsIn(animals).ofField('Query', 'animal');

  expect({ all, oneOf }).toEqual({ all: [], oneOf: [] });
  expect(ofMembers).toHaveLength(2);
});

it('an interface requires what only itself demands', () => {
  const stricter = animals.replace(/(interface Animal\n(?:  @join.*\n)*)(?:  @.*\n)*/u, '$1  @authenticated\n');

  expect(requirementsIn(stricter).ofField('Query', 'animal').all).toEqual([authenticated]);
});
