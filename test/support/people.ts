import { expect } from 'vitest';

import type { Server } from './server-process.ts';
import type { Json } from './json.ts';

export const DEMO_PASSWORD = 'Foyer-demo-1';

/** A JSON request, and its answer with the body read. */
export async function send(
  server: Server,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
) {
  const response = await fetch(new URL(path, server.url), {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  const json: Json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, cookies: response.headers.getSetCookie(), text, json };
}

/** Someone of the staff, signed in as a mobile client: with both tokens in hand. */
export async function logIn(server: Server, username: string, company_code: string, password = DEMO_PASSWORD) {
  const { status, json } = await send(server, 'POST', '/api/v1/login', {
    headers: { 'service-platform': 'mobile' },
    body: { username, password, company_code },
  });
  expect(status).toBe(200);
  const tokens = json as { access_token: string; refresh_token: string };
  return { ...tokens, headers: { authorization: `Bearer ${tokens.access_token}` } };
}

/** A customer of the storefront, with the legacy token. */
export async function signInCustomer(server: Server) {
  const { status, json } = await send(server, 'POST', '/auth/login', {
    body: { email: 'customer@foyer.test', password: DEMO_PASSWORD },
  });
  expect(status).toBe(200);
  const { token, customer } = json as { token: string; customer: { custId: string; email: string } };
  return { token, ...customer, headers: { authorization: `Bearer ${token}` } };
}

/** One GraphQL operation over HTTP. */
export async function graphql(
  server: Server,
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
) {
  const { status, json } = await send(server, 'POST', '/graphql', { headers, body: { query, variables } });
  return { status, data: json.data, errors: json.errors };
}
