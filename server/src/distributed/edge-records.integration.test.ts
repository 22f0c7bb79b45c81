import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startTestIdentity, type TestIdentity } from '@foyer/identity/testing/test-identity';
import { systemClock as clock } from '@foyer/shared/clock';
import { demo } from '@foyer/shared/demo';
import { openContextSigner, openContextVerifier, SIGNED_CONTEXT } from '@foyer/shared/graphql/signed-context';
import type { SubgraphName } from '@foyer/shared/graphql/subgraph';
import { answerErrors } from '@foyer/shared/http/error-body';
import { newId } from '@foyer/shared/ids';
import { openLog } from '@foyer/shared/telemetry/log';
import { customerStandingIn } from '@foyer/ticketing/customer-standing';
import { createGuest } from '@foyer/ticketing/testing/storefront-fixture';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { permissionPolicies } from '../composition/policies.ts';
import { edgeEndpoint } from './edge-endpoint.ts';
import { EDGE_PATH, wire, type EdgeRecords } from './edge-records.ts';
import { remoteRecords } from './remote-records.ts';
import { pair } from './testing/subgraph-behind-gateway.ts';

const log = openLog('silent');
const keys = pair();
const signContext = openContextSigner({ privateKey: keys.privateKey, clock });
const soon = { timeout: 50_000 };
const subgraphs: readonly SubgraphName[] = ['identity', 'ticketing', 'media'];

let identity: TestIdentity;
let inProcess: EdgeRecords;
let processes: { app: FastifyInstance; url: string }[];
let urls: Record<SubgraphName, string>;

beforeAll(async () => {
  identity = await startTestIdentity();
  inProcess = {
    tokens: identity.subgraph.records,
    readCustomerStanding: customerStandingIn(identity),
    evaluatePolicies: permissionPolicies(identity.subgraph.permissions),
  };
  processes = await Promise.all(subgraphs.map(serve));
  const [first = '', second = '', third = ''] = processes.map(({ url }) => url);
  urls = { identity: first, ticketing: second, media: third };
});
afterAll(async () => {
  for (const { app } of processes) await app.close();
  await identity.stop();
});

/** A process of a subgraph, as far as it answers gateways about their callers. */
async function serve(subgraph: SubgraphName) {
  const app = Fastify();
  answerErrors(app, log);
  const verifyContext = openContextVerifier({ publicKeys: [keys.publicKey], subgraph, clock });
  await app.register(edgeEndpoint({ records: inProcess, verifyContext }));
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

const overTheNetwork = () => remoteRecords({ urls, signContext, log });

/** Somebody of Acme who has logged in. */
async function signedIn() {
  const { accessToken } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
  const { viewer } = await identity.subgraph.authenticate({ authorization: `Bearer ${accessToken}` });
  if (viewer?.kind !== 'staff') throw new Error('a token of staff');
  return { accessToken, viewer };
}
const logOut = async (token: string) => {
  const { error } = await identity.ask('mutation { logoutEverywhere { __typename } }', {}, { token });
  expect(error).toBeUndefined();
};

describe.each([
  ['in the process that has the database', () => inProcess],
  ['over the network', overTheNetwork],
])('what is known of tokens, %s', (_where, open) => {
  it('has the sessions that have ended, and the users whose tokens are blocked', async () => {
    const { tokens } = open();
    const { accessToken, viewer } = await signedIn();
    const before = await tokens.readRevoked();
    expect(before.endedSessions.has(viewer.sessionId)).toBe(false);

    await logOut(accessToken);
    const { endedSessions, blocks } = await tokens.readRevoked();
    expect(endedSessions.has(viewer.sessionId)).toBe(true);
    expect(blocks.get(viewer.userId)).toBeGreaterThanOrEqual(viewer.issuedAt);
  });

  it('tells whether a user is a member of an organization', async () => {
    const { tokens } = open();
    const { viewer } = await signedIn();
    expect(await tokens.isMember(viewer)).toBe(true);
    expect(await tokens.isMember({ ...viewer, userId: newId() })).toBe(false);
    expect(await tokens.isMember({ ...viewer, organizationId: demo.platform.organizationId })).toBe(false);
  });

  it('tells whether a customer’s token still counts', async () => {
    const { readCustomerStanding } = open();
    const custId = await createGuest(identity.db);
    const { id: sessionId } = await identity.db.customerSession.create({
      data: { custId, expiresAt: new Date(Date.now() + 3_600_000) },
    });
    const bearer = { custId, sessionId, issuedAt: 1_000 };
    expect(await readCustomerStanding(bearer)).toBe('good');
    await identity.db.customerSession.update({ where: { id: sessionId }, data: { endedAt: new Date() } });
    expect(await readCustomerStanding(bearer)).toBe('revoked');
    expect(await readCustomerStanding({ custId: 'C-1001', issuedAt: 0 })).toBe('good');
  });

  it('grants the policies that are permissions of the viewer, and nobody else', async () => {
    const { evaluatePolicies } = open();
    const { viewer } = await signedIn();
    const policies = ['org:users:manage', 'org:manage:everything'];
    expect([...(await evaluatePolicies(policies, { viewer }))]).toEqual(['org:users:manage']);
    expect([...(await evaluatePolicies(policies, { viewer: null }))]).toEqual([]);
  });
});

describe('over the network', () => {
  /** A server that takes requests, and never answers. */
  async function silent(): Promise<string> {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Counts the changes that a gateway hears of. */
  function watching({ tokens }: EdgeRecords) {
    const heard = { count: 0 };
    onTestFinished(tokens.watchRevoked(() => (heard.count += 1)));
    return heard;
  }

  it('a gateway hears of a session that has ended', async () => {
    const heard = watching(overTheNetwork());
    const { accessToken } = await signedIn();
    await expect.poll(() => heard.count, soon).toBeGreaterThan(0); // the stream is open
    const before = heard.count;
    await logOut(accessToken);
    await expect.poll(() => heard.count, soon).toBeGreaterThan(before);
  });

  it('a gateway whose stream has ended follows another one, and reads again', async () => {
    const { app, url } = await serve('identity');
    const heard = watching(remoteRecords({ urls: { ...urls, identity: url }, signContext, log }));
    await expect.poll(() => heard.count, soon).toBeGreaterThan(0);
    const before = heard.count;
    await app.close();
    await expect.poll(() => heard.count, soon).toBeGreaterThan(before);
  });

  it('another process answers while one is away and one hangs', async () => {
    const { app, url } = await serve('identity');
    await app.close();
    const { tokens } = remoteRecords({
      urls: { identity: url, ticketing: await silent(), media: urls.media },
      signContext,
      log,
    });
    const { viewer } = await signedIn();
    await expect.poll(() => tokens.isMember(viewer).catch(String), soon).toBe(true);
  });

  it('a gateway that reaches none says so', async () => {
    const nobody = await silent();
    const { tokens } = remoteRecords({
      urls: { identity: nobody, ticketing: nobody, media: nobody },
      signContext,
      log,
    });
    await expect(tokens.readRevoked()).rejects.toMatchObject({ reason: 'SUBGRAPH_UNAVAILABLE' });
  });

  it.each([...Object.keys(wire), 'changes'])('nobody but a gateway gets an answer: %s', async (path) => {
    const method = path === 'changes' ? 'GET' : 'POST';
    const status = async (headers: Record<string, string>) => {
      const body = method === 'POST' ? '{}' : null;
      const sent = { method, body, headers: { 'content-type': 'application/json', ...headers } };
      const answer = await fetch(`${urls.identity}${EDGE_PATH}/${path}`, sent);
      await answer.body?.cancel();
      return answer.status;
    };
    const client = { address: '', userAgent: '' };
    const { privateKey } = pair();
    const strangers = openContextSigner({ privateKey, clock });
    const forAnother = await signContext('media', { viewer: null, client });

    expect(await status({})).toBe(403);
    expect(await status({ [SIGNED_CONTEXT]: forAnother })).toBe(403);
    expect(await status({ [SIGNED_CONTEXT]: await strangers('identity', { viewer: null, client }) })).toBe(403);
  });
});
