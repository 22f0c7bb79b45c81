import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { landingPage } from './landing-page.ts';

describe('GraphQL for a developer', () => {
  let server: ExampleServer;
  beforeAll(async () => {
    server = await startExampleServer();
  });
  afterAll(() => server.stop());

  it('shows a page to try operations, with the address for subscriptions', async () => {
    const html = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text();

    expect(html).toContain('initialSubscriptionEndpoint');
    expect(html).toContain('includeCookies');
    expect(html).toContain('query Me { me { name } }');
  });

  it('leads from that page to the one where people sign in, if there is one', async () => {
    const html = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text();

    expect(html).not.toContain('<a ');
    expect(html).not.toContain('cookie,');
    expect(landingPage([], '/login?redirect_uri=/graphql').html).toContain('href="/login?redirect_uri=/graphql"');
  });

  it('limits that page to what it needs', async () => {
    const { headers } = await fetch(server.url, { headers: { accept: 'text/html' } });

    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('never passes a result off as a page', async () => {
    // ApolloServer prefers the other type of these two, and executes the operation.
    const headers = { accept: 'text/html;q=0.9, multipart/mixed;deferSpec=20220824', 'apollo-require-preflight': '1' };
    const response = await fetch(`${server.url}?query={__typename}`, { headers });

    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('explains its schema', async () => {
    expect((await server.post('{ __schema { queryType { name } } }')).status).toBe(200);
  });

  it('escapes its examples', () => {
    const { html } = landingPage([{ title: '</script><b>', document: '{ a(b: "</script>") }' }]);

    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html).not.toContain('<b>');
  });
});

describe('GraphQL in production', () => {
  let server: ExampleServer;
  beforeAll(async () => {
    server = await startExampleServer({ NODE_ENV: 'production' });
  });
  afterAll(() => server.stop());

  it('neither explains its schema nor suggests names of it', async () => {
    const introspection = await server.post('{ __schema { types { name } } }');
    const guess = await server.post('{ ordr(no: 1) { no } }');

    expect(introspection.status).toBe(400);
    expect(guess.body.errors?.[0]?.message).not.toContain('Did you mean');
  });

  it('has no page to try operations', async () => {
    const response = await fetch(server.url, { headers: { accept: 'text/html' } });

    expect([response.status, response.headers.get('content-type')]).toEqual([406, expect.stringContaining('json')]);
  });
});
