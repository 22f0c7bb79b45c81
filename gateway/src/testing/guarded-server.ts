import type { AddressInfo } from 'node:net';

import type { Authenticate, Authentication } from '@foyer/shared/auth/authentication';
import { systemClock } from '@foyer/shared/clock';
import type { RequestScope } from '@foyer/shared/http/request';
import { logOptions } from '@foyer/shared/telemetry/log';
import fastify from 'fastify';
import { parse, type ExecutionResult } from 'graphql';
import { pino } from 'pino';

import { createGateway } from '../app.ts';
import type { EvaluatePolicies } from '../authorization/access.ts';
import { accessClaimsOf } from '../authorization/claims.ts';
import { readConfig } from '../config.ts';
import { guardedBlog } from './guarded-blog.ts';

/** The claims of a bearer, instead of a signed token. */
export const bearer = (claims: object) => ({ authorization: `Bearer ${JSON.stringify(claims)}` });

const claimsIn = (authorization: string) =>
  JSON.parse(authorization.slice('Bearer '.length)) as Record<string, unknown>;

const authenticate: Authenticate = async ({ authorization }) =>
  authorization === undefined ? { viewer: null, by: 'nothing' } : bearerOf(claimsIn(authorization));

const bearerOf = (claims: Record<string, unknown>): Authentication => {
  const { sub: subject } = claims;
  const expiresAt = Number.MAX_SAFE_INTEGER;
  const viewer = typeof subject === 'string' ? ({ kind: 'token-bearer', subject, claims, expiresAt } as const) : null;
  return { viewer, by: 'bearer', access: accessClaimsOf(claims) };
};

interface Options {
  evaluatePolicies?: EvaluatePolicies;
  /** Called when a subgraph opens a stream; its events come afterwards. */
  begin?(): Promise<void>;
}

/** The guarded blog behind a real gateway, on a port of its own. */
export async function startGuardedServer(env: Record<string, string> = {}, options: Options = {}) {
  const { begin, ...policies } = options;
  const { supergraphSdl, schemas, resolved } = guardedBlog(begin);
  const contextFor = (scope: RequestScope) => ({ scope });
  const gateway = await createGateway({
    supergraphSdl,
    subgraphs: {
      people: { schema: schemas.people, contextFor },
      blog: { schema: schemas.blog, contextFor },
    },
    authenticate,
    ...policies,
    config: readConfig(env),
    log: pino(logOptions('silent')),
    clock: systemClock,
  });
  const app = fastify({ forceCloseConnections: true });
  await app.register(gateway.routes);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/graphql`;

  return {
    url,
    wsUrl: url.replace('http', 'ws'),
    /** The coordinates of the fields that subgraphs have resolved since it was last read. */
    resolved: () => resolved.splice(0),
    async post(query: string, claims?: object, variables?: object): Promise<Answer> {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(claims && bearer(claims)) },
        body: JSON.stringify({ query, variables }),
      });
      return (await response.json()) as Answer;
    },
    /** As REST routes do it. */
    execute(query: string, scope: Pick<RequestScope, 'viewer' | 'access'>): Promise<ExecutionResult> {
      const { signal } = new AbortController();
      const client = { address: '', userAgent: '' };
      const operation = { document: parse(query) };
      return gateway.execute(operation, { ...scope, requestId: 'rest', client, signal, reply: { cookies: [] } });
    },
    async stop() {
      await app.close();
      await gateway.stop();
    },
  };
}

export interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; path?: unknown[]; extensions: Record<string, unknown> }[];
}
