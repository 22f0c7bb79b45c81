import { createSourceEventStream, execute, graphql, parse, subscribe, type GraphQLSchema } from 'graphql';
import { describe, expect, it } from 'vitest';

import { buildSchema } from './subgraph.ts';
import type { Viewer } from '../auth/viewer.ts';

const audiences = ['EVERYONE', 'SIGNED_IN', 'STAFF', 'CUSTOMER', 'PLATFORM', 'ORGANIZATION', 'WORKSPACE', 'ROLE'];
const preamble = 'directive @access(to: Audience!) on FIELD_DEFINITION';
const sdl = `${preamble}
  enum Audience { ${audiences.join(' ')} INTERNAL }
  type Query { ${[...audiences, 'INTERNAL'].map((to) => `${to}: Int @access(to: ${to})`).join('\n')} }
  type Subscription { events: Int @access(to: STAFF) }`;

/** The number of calls that reached a use case. */
let calls = 0;
async function* events() {
  calls += 1;
  yield { events: 1 };
}
const Query = Object.fromEntries([...audiences, 'INTERNAL'].map((to) => [to, () => (calls += 1)]));
const build = buildSchema<object>() as (typeDefs: string, ...slices: object[]) => GraphQLSchema;
const schema = build(sdl, { Query, Subscription: { events: { subscribe: events } } });

const kinds = ['staff', 'customer', 'legacy-user', 'legacy-client', 'service'] as const;
const viewerOf = (kind: string) => (kind === 'nobody' ? null : ({ kind } as Viewer));

/** Calls a field as a kind of viewer; returns the error code, and whether the use case was called. */
async function call(kind: string, field: string) {
  const before = calls;
  const contextValue = { viewer: viewerOf(kind) };
  const { errors } = await graphql({ schema, source: `{ ${field} }`, contextValue });
  return { code: errors?.[0]?.extensions['code'] ?? 'let in', calls: calls > before };
}

/** The kinds of viewers that each audience takes. */
const takes: Record<string, readonly string[]> = {
  EVERYONE: ['nobody', ...kinds],
  SIGNED_IN: kinds,
  STAFF: ['staff'],
  CUSTOMER: ['customer'],
  PLATFORM: ['staff', 'legacy-client', 'service'],
  ORGANIZATION: ['staff', 'legacy-client', 'service'],
  WORKSPACE: ['staff', 'legacy-client'],
  ROLE: ['staff', 'legacy-user'],
  INTERNAL: ['service'],
};

describe('the guard of root fields', () => {
  it.each(Object.entries(takes))('lets through to %s only %j', async (audience, taken) => {
    for (const kind of ['nobody', ...kinds]) {
      const refused = kind === 'nobody' ? 'UNAUTHENTICATED' : 'FORBIDDEN';
      const comesThrough = taken.includes(kind);
      expect({ kind, ...(await call(kind, audience)) }).toEqual({
        kind,
        code: comesThrough ? 'let in' : refused,
        calls: comesThrough,
      });
    }
  });

  it('checks a subscription, not each of its events', async () => {
    const document = parse('subscription { events }');
    const refused = await subscribe({ schema, document, contextValue: { viewer: null } });
    expect(refused).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    const open = await createSourceEventStream({ schema, document, contextValue: { viewer: viewerOf('staff') } });
    if (!(Symbol.asyncIterator in open)) throw new Error('it was not opened');
    const { value: rootValue } = await open[Symbol.asyncIterator]().next();
    const event = await execute({ schema, document, rootValue, contextValue: { viewer: null } });
    expect(event.data).toEqual({ events: 1 });
  });

  it('refuses a schema with a root field without an audience', () => {
    const silent = `${preamble} enum Audience { STAFF SOMEBODY }`;
    expect(() => build(`${silent} type Query { open: Int }`)).toThrow('the root field open does not say');
    expect(() => build(`${silent} type Query { odd: Int @access(to: SOMEBODY) }`)).toThrow('the root field odd');
    expect(() => build(`${silent} type Query { a: Int @access(to: STAFF) } type Mutation { b: Int }`)).toThrow(
      'field b',
    );
  });
});
