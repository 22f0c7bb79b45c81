import { parse, print, stripIgnoredCharacters } from 'graphql';
import { operationFromDocument, Supergraph } from '@apollo/federation-internals';
import { describe, expect, it } from 'vitest';

import { readSupergraph } from '../supergraph/read-supergraph.ts';
import { guardedBlog } from '../testing/guarded-blog.ts';
import { lackOf, type Caller } from './access.ts';
import { authorize } from './authorize.ts';
import { requirementsOf } from './requirements.ts';

const composed = Supergraph.build(readSupergraph(guardedBlog().supergraphSdl));
const requirements = requirementsOf(composed.schema);

interface Claims {
  authenticated?: boolean;
  scopes?: string[];
  policies?: string[];
}

/** What is left of an operation, and where the errors are. */
function seenBy({ authenticated = false, scopes = [], policies = [] }: Claims, query: string) {
  if (!requirements) throw new Error('the supergraph has no requirements');
  const caller: Caller = { authenticated, scopes: new Set(scopes), policies: new Set(policies) };
  const requested = operationFromDocument(composed.apiSchema(), parse(query));
  const allowed = authorize(requested, requirements, (requirement) => lackOf(requirement, caller));
  const { selectionSet } = allowed?.operation ?? requested;
  const errors = allowed?.errorsFor({}) ?? [];
  return {
    query: selectionSet.isEmpty() ? '' : short(selectionSet.toString()),
    paths: errors.map(({ path }) => path?.join('/')),
    reasons: errors.map(({ extensions }) => extensions['reason']),
  };
}

const short = (query: string) => stripIgnoredCharacters(print(parse(query)));
const authenticated = { authenticated: true };

describe('a caller who has nothing', () => {
  it.each([
    ['an authenticated field', '{ user(id: 1) { name email } }', '{ user(id: 1) { name } }', 'user/email'],
    ['under an alias', '{ user(id: 1) { name mail: email } }', '{ user(id: 1) { name } }', 'user/mail'],
    ['a guarded scalar', '{ user(id: 1) { name badge } }', '{ user(id: 1) { name } }', 'user/badge'],
    ['a guarded enum', '{ user(id: 1) { name status } }', '{ user(id: 1) { name } }', 'user/status'],
    ['a guarded type', '{ posts { __typename } draft { text } }', '{ posts { __typename } }', 'draft'],
    [
      'within a list',
      '{ user(id: 1) { friends { id email } } }',
      '{ user(id: 1) { friends { id } } }',
      'user/friends/@/email',
    ],
    ['a guarded key', '{ ledger { no lines } }', '{ ledger { lines } }', 'ledger/no'],
    [
      'a member of an interface',
      '{ posts { ... on PublicPost { id } ... on PrivatePost { id } } }',
      '{ posts { ... on PublicPost { id } } }',
      'posts/@/... on PrivatePost',
    ],
    [
      'a member of a union',
      '{ feed { __typename ... on PrivatePost { id } } }',
      '{ feed { __typename } }',
      'feed/@/... on PrivatePost',
    ],
    [
      'in a named fragment',
      '{ posts { ...P } user(id: 1) { id } } fragment P on PrivatePost { id }',
      '{ user(id: 1) { id } }',
      'posts/@/... on PrivatePost',
    ],
    [
      'in a fragment on an interface',
      '{ feed { ... on Advert { text } ... on Post { id } } }',
      '{ feed { ... on Advert { text } } }',
      'feed/@/... on Post/id',
    ],
  ])('does not get %s', (_what, query, left, path) => {
    expect(seenBy({}, query)).toMatchObject({ query: short(left), paths: [path] });
  });

  it('does not get an interface whose members it may not see all', () => {
    const query = '{ user(id: 1) { id } posts { id title } }';

    expect(seenBy({}, query)).toMatchObject({ query: short('{ user(id: 1) { id } }'), paths: ['posts'] });
  });

  it('does not get so much as the type of an interface whose members it may none of see', () => {
    const query = '{ user(id: 1) { id } vault { __typename } }';

    expect(seenBy({}, query)).toMatchObject({ query: short('{ user(id: 1) { id } }'), paths: ['vault'] });
    expect(seenBy(authenticated, query).paths).toEqual([]);
  });

  it('does not get a field of an interface that one of its members guards', () => {
    const query = '{ posts { __typename title secret } }';

    expect(seenBy(authenticated, query)).toMatchObject({
      query: short('{ posts { __typename title } }'),
      paths: ['posts/@/secret'],
      reasons: ['SCOPES_REQUIRED'],
    });
  });

  it('gets what nobody guards, unchanged', () => {
    expect(seenBy({}, '{ user(id: 1) { id name friends { name } } __typename }').paths).toEqual([]);
  });

  it('leaves nothing where every field is guarded', () => {
    const query = '{ user(id: 1) { email notes } staff { id } }';

    expect(seenBy({}, query)).toMatchObject({ query: '', paths: ['user/email', 'user/notes', 'staff'] });
  });
});

describe('requirements are met', () => {
  const salary = '{ user(id: 1) { id salary } }';
  const draft = '{ draft { text } }';
  it.each<[string, Claims, string, string[]]>([
    ['by authentication', authenticated, '{ user(id: 1) { email } }', []],
    ['not by authentication where scopes are needed', authenticated, salary, ['user/salary']],
    ['by all scopes of one alternative', { scopes: ['hr', 'read:salary'] }, salary, []],
    ['by another alternative', { scopes: ['admin'] }, salary, []],
    ['not by one of two scopes', { scopes: ['hr', 'read:staff'] }, salary, ['user/salary']],
    ['by both policies', { policies: ['adult', 'author'] }, draft, []],
    ['by the policy that is enough', { policies: ['editor'] }, draft, []],
    ['not by one of two policies', { policies: ['author'] }, draft, ['draft']],
    ['not by a scope of the name of a policy', { scopes: ['editor'] }, draft, ['draft']],
  ])('%s', (_how, claims, query, paths) => {
    expect(seenBy(claims, query).paths).toEqual(paths);
  });
});
