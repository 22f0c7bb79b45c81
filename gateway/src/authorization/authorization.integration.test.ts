import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { bearer, startGuardedServer, type Answer } from '../testing/guarded-server.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

describe.each(['foyer', 'apollo'])('with the executor of %s', (executor) => {
  let server: Awaited<ReturnType<typeof startGuardedServer>>;

  beforeAll(async () => {
    server = await startGuardedServer({ GATEWAY_EXECUTOR: executor });
  });
  afterAll(() => server.stop());
  beforeEach(() => void server.resolved());

  const pathsOf = ({ errors = [] }: Pick<Answer, 'errors'>) => errors.map(({ path }) => path?.join('/'));

  const user = 'query ($more: Boolean = true) { user(id: "1") { name mail: email @include(if: $more) salary } }';

  describe('over HTTP', () => {
    it('a field that the caller may not see is null, with an error, and no subgraph is asked for it', async () => {
      const { data, errors } = await server.post(user, { scope: 'admin' });

      expect(data).toEqual({ user: { name: 'name 1', mail: '1@example.com', salary: 5_000 } });
      expect(errors).toBeUndefined();
      expect(server.resolved()).toContain('User.email');

      const refused = await server.post(user);
      expect(refused.data).toEqual({ user: { name: 'name 1', mail: null, salary: null } });
      expect(refused.errors).toMatchObject([
        {
          message: 'Unauthorized field or type',
          path: ['user', 'mail'],
          extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE', reason: 'AUTHENTICATION_REQUIRED' },
        },
        { path: ['user', 'salary'], extensions: { reason: 'SCOPES_REQUIRED' } },
      ]);
      expect(server.resolved()).toEqual(['Query.user', 'User.name']);
    });

    it('callers with different claims each get their own, however often the operation was planned', async () => {
      const salaries = async (claims?: object) => {
        const { data } = await server.post(user, claims);
        return (data?.['user'] as { mail: unknown; salary: unknown } | undefined) ?? { mail: 'none', salary: 'none' };
      };
      for (let round = 0; round < 3; round += 1) {
        expect(await salaries({ scope: 'hr read:salary' })).toMatchObject({ mail: '1@example.com', salary: 5_000 });
        expect(await salaries()).toMatchObject({ mail: null, salary: null });
        expect(await salaries({ scope: 'hr' })).toMatchObject({ mail: '1@example.com', salary: null });
      }
    });

    it('reports no error for what the variables leave out', async () => {
      expect(pathsOf(await server.post(user, { scope: 'admin' }, { more: false }))).toEqual([]);
      expect(pathsOf(await server.post(user, undefined, { more: false }))).toEqual(['user/salary']);
    });

    it('an object is shown where the variables leave out all that the caller may not see of it', async () => {
      const query = 'query ($more: Boolean!) { user(id: "1") { email @include(if: $more) } }';

      expect(await server.post(query, undefined, { more: false })).toEqual({ data: { user: {} } });
      expect(await server.post(query, undefined, { more: true })).toMatchObject({
        data: { user: { email: null } },
        errors: [{ path: ['user', 'email'] }],
      });
      expect(server.resolved()).not.toContain('User.email');
    });

    it('null rises from a field that must not be null', async () => {
      const answer = await server.post('{ user(id: "1") { name notes } ledger { no lines } }');

      expect(answer.data).toEqual({ user: null, ledger: null });
      expect(pathsOf(answer)).toEqual(['user/notes', 'ledger/no']);
    });

    it('a guarded key still joins subgraphs, and is not shown', async () => {
      expect((await server.post('{ ledger { total lines } }')).data).toEqual({
        ledger: { total: 3, lines: ['a', 'b'] },
      });
      expect((await server.post('{ ledger { no lines } }', {})).data).toEqual({
        ledger: { no: 'L1', lines: ['a', 'b'] },
      });
    });

    it('a field that requires another one is answered to those who may see both', async () => {
      const greeting = '{ user(id: "1") { id greeting } }';

      expect((await server.post(greeting)).data).toEqual({ user: { id: '1', greeting: null } });
      expect(server.resolved()).toEqual(['Query.user', 'User.id']);
      expect((await server.post(greeting, {})).data).toEqual({ user: { id: '1', greeting: 'hello 1@example.com' } });
    });

    it('members of a union are shown to those who may see them', async () => {
      const feed = '{ feed { __typename ... on PublicPost { title } ...Private ... on Advert { text } } }';
      const query = `${feed} fragment Private on PrivatePost { __typename title }`;
      const answer = await server.post(query);

      expect(answer.data?.['feed']).toEqual([
        { __typename: 'PublicPost', title: 'public 1' },
        { __typename: 'PrivatePost', title: null },
        { __typename: 'Advert', text: 'buy' },
      ]);
      expect(pathsOf(answer)).toEqual(['feed/@/... on PrivatePost']);
      expect(server.resolved()).not.toContain('PrivatePost.title');
      expect((await server.post(query, {})).errors).toBeUndefined();
    });

    it('members of an interface in other subgraphs are guarded, too', async () => {
      const query = '{ user(id: "1") { posts { __typename ... on PrivatePost { title } } fans } }';
      const answer = await server.post(query);

      expect(answer.data).toEqual({
        user: { posts: [{ __typename: 'PublicPost' }, { __typename: 'PrivatePost', title: null }], fans: null },
      });
      expect(server.resolved()).not.toContain('PrivatePost.title');
      expect((await server.post(query, { policies: ['friend'] })).data).toEqual({
        user: { posts: [{ __typename: 'PublicPost' }, { __typename: 'PrivatePost', title: 'private 2' }], fans: 7 },
      });
    });

    it('nothing is asked of any subgraph where all is guarded', async () => {
      const answer = await server.post('{ staff { id } draft { text } }', { policies: ['author'] });

      expect(answer.data).toEqual({ staff: null, draft: null });
      expect(pathsOf(answer)).toEqual(['staff', 'draft']);
      expect(server.resolved()).toEqual([]);
    });

    it('introspection shows guarded fields, as in the router', async () => {
      const { data } = await server.post('{ __type(name: "Draft") { fields { name } } draft { text } }');

      expect(data).toEqual({ __type: { fields: [{ name: 'text' }] }, draft: null });
    });
  });

  describe('a mutation', () => {
    it('that the caller may not make is not run; others beside it are', async () => {
      const answer = await server.post(
        'mutation { close(id: "1") { name } rename(id: "1", name: "new") { name email } }',
      );

      expect(answer.data).toEqual({ close: null, rename: { name: 'new', email: null } });
      expect(pathsOf(answer)).toEqual(['close', 'rename/email']);
      expect(server.resolved()).toEqual(['Mutation.rename', 'User.name']);
    });

    it('of which the caller may see nothing is not run', async () => {
      const answer = await server.post('mutation { rename(id: "1", name: "new") { email } }');

      expect(answer).toMatchObject({ data: { rename: null }, errors: [{ path: ['rename', 'email'] }] });
      expect(server.resolved()).toEqual([]);
    });
  });

  describe('over WebSocket', () => {
    it('queries are held to the same rules', async () => {
      const client = aClient(server.wsUrl);
      const nobody = watch(client, user);
      await nobody.ended;
      const admin = aClient(server.wsUrl, { connectionParams: bearer({ scope: 'admin' }) });
      const somebody = watch(admin, user);
      await somebody.ended;

      expect(nobody.results[0]?.data).toEqual({ user: { name: 'name 1', mail: null, salary: null } });
      expect(somebody.results[0]?.data).toEqual({ user: { name: 'name 1', mail: '1@example.com', salary: 5_000 } });
    });

    it('a subscription that the caller may not open is refused', async () => {
      const { ended, results } = watch(aClient(server.wsUrl), 'subscription { closed { id } }');

      expect(await ended).toBe('complete');
      expect(results).toMatchObject([
        { errors: [{ path: ['closed'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }] },
      ]);
      expect(results[0]).not.toHaveProperty('data');
      expect(server.resolved()).toEqual([]);
    });

    it('each event has null for what the caller may not see', async () => {
      const query = 'subscription { renamed { id email fans } }';
      const nobody = watch(aClient(server.wsUrl), query);
      await nobody.ended;
      const fields = server.resolved();
      const friend = watch(aClient(server.wsUrl, { connectionParams: bearer({ policies: ['friend'] }) }), query);
      await friend.ended;

      expect(nobody.results.map(({ data }) => data)).toEqual([
        { renamed: { id: '1', email: null, fans: null } },
        { renamed: { id: '2', email: null, fans: null } },
      ]);
      expect(nobody.results[0]?.errors).toMatchObject([{ path: ['renamed', 'email'] }, { path: ['renamed', 'fans'] }]);
      expect(fields).not.toContain('User.email');
      expect(friend.results[0]).toEqual({ data: { renamed: { id: '1', email: '1@example.com', fans: 7 } } });
    });
  });

  it('subscriptions over server-sent events are held to the same rules', async () => {
    const client = createClient({ url: server.url, retryAttempts: 0 });
    const results = [];
    for await (const result of client.iterate({ query: 'subscription { renamed { id email } }' })) results.push(result);
    const [refused] = await Array.fromAsync(client.iterate({ query: 'subscription { closed { id } }' }));

    expect(results[0]).toMatchObject({ data: { renamed: { id: '1', email: null } } });
    expect(refused?.errors).toMatchObject([{ path: ['closed'] }]);
  });

  it('REST routes are held to the same rules', async () => {
    const { data, errors } = await server.execute('{ user(id: "1") { name email } }', { viewer: null });
    const customer = { kind: 'customer', custId: '1', issuedAt: 0, expiresAt: 0 } as const;
    const byViewer = await server.execute('{ user(id: "1") { name email } }', { viewer: customer });

    expect(data).toEqual({ user: { name: 'name 1', email: null } });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }]);
    expect(byViewer).toEqual({ data: { user: { name: 'name 1', email: '1@example.com' } } });
  });
});

it('callers who share a subscription see the same of it, also by policies that only the server knows', async () => {
  const events = Promise.withResolvers<void>();
  let upstreams = 0;
  const server = await startGuardedServer(
    { GRAPHQL_SHARED_SUBSCRIPTIONS: 'renamed' },
    {
      evaluatePolicies: async (policies, { viewer }) =>
        new Set(viewer?.kind === 'token-bearer' && viewer.subject === 'friend' ? policies : []),
      begin: () => {
        upstreams += 1;
        return events.promise;
      },
    },
  );
  const watched = [];
  for (const sub of ['friend', 'stranger', 'friend']) {
    const client = aClient(server.wsUrl, { connectionParams: bearer({ sub }) });
    watched.push(watch(client, 'subscription { renamed { name fans } }'));
    await watch(client, '{ user(id: "1") { fans } }').ended; // sent later, so the subscription is open
  }

  events.resolve();
  await Promise.all(watched.map(({ ended }) => ended));

  const [friend, stranger, another] = watched.map(({ results }) => results[0]);
  expect(friend).toEqual({ data: { renamed: { name: 'name 1', fans: 7 } } });
  expect(stranger).toMatchObject({ data: { renamed: { name: 'name 1', fans: null } }, errors: [{}] });
  expect(another).toEqual(friend);
  expect(upstreams).toBe(2);
  await server.stop();
});
