import {
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLInputType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';

import { rootFields, type RootField } from '../support/tables/access-rules.ts';
import { documentFor, exampleCall, publicField, type Known } from '../support/tables/example-calls.ts';
import { createOrganization } from '../support/fixtures/organization.ts';
import { send, logIn } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

/** Values of hostile or broken clients for a text, an id or a cursor. */
const texts = {
  nothing: '',
  blank: ' ',
  NUL: 'a\0b',
  'half a character': '\ud800',
  'as many characters as a body holds': 'x'.repeat(500_000),
  'a number beyond all': '99999999999999999999999999',
  'a negative number': '-1',
  'a fraction': '1e309',
  'half an id': '0a0c0000-0000-4000-8000',
  'a prototype': '__proto__',
  SQL: `' OR 1=1 --`,
  'a path': '../../../etc/passwd',
};
/** The same for cursors: everywhere else they are ordinary texts. */
const cursors = {
  ...texts,
  'a broken cursor': Buffer.from('["nonsense","\\u0000"]').toString('base64url'),
  'a cursor of something else': Buffer.from('null').toString('base64'),
};
const numbers = {
  'less than none': -1,
  none: 0,
  'too many': 2_147_483_647,
  'more than an Int': Number.MAX_SAFE_INTEGER,
};
const days = {
  'no day': '2030-02-31',
  'a far day': '9999-12-31',
  'the year zero': '0000-01-01',
  'a moment in it': '0000-01-01T00:00:00Z',
  words: 'tomorrow',
};

function badValues({ type, path }: Leaf): Record<string, unknown> {
  const { name } = getNamedType(type);
  if (name === 'Int' || name === 'Float') return numbers;
  if (name === 'Date' || name === 'DateTime') return { ...days, NUL: 'a\0b' };
  if (name === 'JSON') return { 'NUL inside': { key: 'a\0b' }, deep: nested(200), 'half a character': { '\ud800': 1 } };
  if (/^(after|before)$/.test(path.at(-1) ?? '')) return cursors;
  return name === 'ID' || name === 'String' ? texts : {};
}

const nested = (depth: number): object => (depth === 0 ? {} : { deeper: nested(depth - 1) });

interface BadCall {
  what: string;
  variables: Record<string, unknown>;
}

/** Valid calls of a field, each with one invalid argument or input field. */
function* badCallsOf(field: RootField, known: Known): Generator<BadCall> {
  const { variables } = exampleCall(field, known);
  for (const arg of publicField(field).args) {
    for (const leaf of leaves(arg.type, [arg.name])) {
      const { path, inLists } = leaf;
      for (const [what, value] of Object.entries(badValues(leaf)))
        yield {
          what: `${path.join('.')}: ${what}`,
          variables: withValue(variables, path, inLists ? [value] : value) as Record<string, unknown>,
        };
    }
  }
}

interface Leaf {
  path: string[];
  type: GraphQLInputType;
  inLists: boolean;
}

function leaves(type: GraphQLInputType, path: string[], inLists = false): Leaf[] {
  if (isNonNullType(type)) return leaves(type.ofType, path, inLists);
  if (isListType(type)) return isInputObjectType(getNamedType(type)) ? [] : leaves(type.ofType, path, true);
  if (isScalarType(type)) return [{ path, type, inLists }];
  if (!isInputObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => leaves(field.type, [...path, field.name], inLists));
}

function withValue(within: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const object = (within ?? {}) as Record<string, unknown>;
  return { ...object, [key]: withValue(object[key], rest, value) };
}

/** These end the caller's session, whatever their arguments. */
const endTheSession = new Set(['logout', 'logoutEverywhere', 'revokeOtherSessions']);

describe('bad input, in every argument of every root field', () => {
  let server: SharedServer;
  let known: Known;
  let viewers: Record<string, string>[];

  beforeAll(async () => {
    server = await sharedServer();
    const organization = await createOrganization(server);
    known = { organizationId: organization.id, workspaceId: organization.workspaceId };
    viewers = [organization.admin.headers, (await logIn(server, 'admin@foyer.test', 'PLATFORM')).headers];
  });

  const [subscriptions, fields] = [true, false].map((wanted) =>
    rootFields.filter(
      (field) =>
        (field.type === 'Subscription') === wanted &&
        !endTheSession.has(field.name) &&
        publicField(field).args.length > 0,
    ),
  ) as [RootField[], RootField[]];
  const audienceOf = ({ access }: RootField) => access?.to ?? '';

  it.each(fields.map((field) => [field.name, field] as const))(
    '%s answers or refuses it, and never fails',
    async (_name, field) => {
      const headers = viewers[audienceOf(field) === 'PLATFORM' ? 1 : 0] ?? {};
      const wrong: string[] = [];
      const calls = [...badCallsOf(field, known)];
      for (let at = 0; at < calls.length; at += 8) {
        await Promise.all(
          calls.slice(at, at + 8).map(async ({ what, variables }) => {
            const query = documentFor(field, Object.keys(variables));
            const { status, json } = await send(server, 'POST', '/graphql', { headers, body: { query, variables } });
            const codes = (json?.errors as { extensions?: { code?: string } }[] | undefined)?.map(
              ({ extensions }) => extensions?.code ?? 'no code',
            );
            const ours = codes?.some((code) => code === 'INTERNAL_SERVER_ERROR' || code === 'no code');
            if (status >= 500 || ours) wrong.push(`${what}: ${status} ${codes?.join(', ')}`);
          }),
        );
      }
      expect(wrong).toEqual([]);
    },
  );

  it.each(subscriptions.map((field) => [field.name, field] as const))(
    '%s opens a stream or refuses it, and never fails',
    async (_name, field) => {
      const wrong: string[] = [];
      const calls = [...badCallsOf(field, known)];
      for (let at = 0; at < calls.length; at += 4) {
        await Promise.all(
          calls.slice(at, at + 4).map(async ({ what, variables }) => {
            const query = documentFor(field, Object.keys(variables));
            const said = await beginningOf({ query, variables }, viewers[0] ?? {});
            if (/"INTERNAL_SERVER_ERROR"|^5/.test(said)) wrong.push(`${what}: ${said.slice(0, 200)}`);
          }),
        );
      }
      expect(wrong).toEqual([]);
    },
  );

  /** No event says that a stream stays open. A server that fails says so at once. */
  const QUIET_MS = 300;

  /** The status and the text of an event stream until it ends; a stream that stays open is closed. */
  async function beginningOf(body: object, headers: Record<string, string>): Promise<string> {
    const leaving = new AbortController();
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    let said = `${response.status} `;
    const timeout = setTimeout(() => leaving.abort(), QUIET_MS);
    try {
      for await (const chunk of response.body ?? []) said += Buffer.from(chunk).toString();
    } catch {
      // It was open.
    }
    clearTimeout(timeout);
    return said;
  }
});
