import { execute, graphql, parse, subscribe, type GraphQLSchema } from 'graphql';
import { describe, expect, it } from 'vitest';

import { buildSchema } from './subgraph.ts';
import type { Viewer } from '../auth/viewer.ts';

const audiences = ['EVERYONE', 'SIGNED_IN', 'STAFF', 'CUSTOMER', 'PLATFORM', 'ORGANIZATION', 'WORKSPACE', 'ROLE'];
const preamble = 'directive @access(to: Audience!) on FIELD_DEFINITION';
const sdl = `${preamble}
  enum Audience { ${audiences.join(' ')} INTERNAL }
  type Query { ${[...audiences, 'INTERNAL'].map((to) => `${to}: Int @access(to: ${to})`).join('\n')} }
  type Subscription { news: Int @access(to: STAFF) }`;

/** Whoever comes through is counted. */
let calls = 0;
async function* news() {
  calls += 1;
  yield { news: 1 };
}
const Query = Object.fromEntries([...audiences, 'INTERNAL'].map((to) => [to, () => (calls += 1)]));
const build = buildSchema<object>() as (typeDefs: string, ...slices: object[]) => GraphQLSchema;
const schema = build(sdl, { Query, Subscription: { news: { subscribe: news } } });

const kinds = ['staff', 'customer', 'legacy-user', 'legacy-client', 'service'] as const;
const viewerOf = (kind: string) => (kind === 'nobody' ? null : ({ kind } as Viewer));

/** What happens when somebody asks for a field, and whether its use case has heard of it. */
async function knock(kind: string, field: string) {
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

describe('the doorkeeper of root fields', () => {
  it.each(Object.entries(takes))('lets in to %s just %j', async (audience, taken) => {
    for (const kind of ['nobody', ...kinds]) {
      const refused = kind === 'nobody' ? 'UNAUTHENTICATED' : 'FORBIDDEN';
      const comesThrough = taken.includes(kind);
      expect({ kind, ...(await knock(kind, audience)) }).toEqual({
        kind,
        code: comesThrough ? 'let in' : refused,
        calls: comesThrough,
      });
    }
  });

  it('stands before a subscription, not before each of its events', async () => {
    const document = parse('subscription { news }');
    const refused = await subscribe({ schema, document, contextValue: { viewer: null } });
    expect(refused).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    const open = await subscribe({ schema, document, contextValue: { viewer: viewerOf('staff') } });
    expect(open).toHaveProperty('next');
    const event = await execute({ schema, document, rootValue: { news: 1 }, contextValue: { viewer: null } });
    expect(event.data).toEqual({ news: 1 });
  });

  it('builds no schema with a root field that does not say who may call it', () => {
    const silent = `${preamble} enum Audience { STAFF SOMEBODY }`;
    expect(() => build(`${silent} type Query { open: Int }`)).toThrow('the root field open does not say');
    expect(() => build(`${silent} type Query { odd: Int @access(to: SOMEBODY) }`)).toThrow('the root field odd');
    expect(() => build(`${silent} type Query { a: Int @access(to: STAFF) } type Mutation { b: Int }`)).toThrow(
      'field b',
    );
  });
});
