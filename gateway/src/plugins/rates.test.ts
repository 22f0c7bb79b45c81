import { systemClock } from '@foyer/shared/clock';
import { ownHeaderValue } from '@foyer/shared/http/header-value';
import { readId } from '@foyer/shared/ids';
import type { Staff, Viewer } from '@foyer/shared/auth/viewer';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';

import { requestCounter } from './rates.ts';
import { readConfig } from '../config.ts';
import type { ForwardedHeaders } from '@foyer/shared/graphql/operation-context';
import { operationContext } from '@foyer/shared/graphql/operation-context';

const someone: Staff = {
  kind: 'staff',
  userId: readId('u1'),
  idpUserId: 'i1',
  organizationId: readId('o1'),
  organizationSlug: 'o',
  role: 'member',
  sessionId: readId('s1'),
  tokenId: 't1',
  issuedAt: 0,
  expiresAt: 0,
};

const toAll = (all: ForwardedHeaders['all']): ForwardedHeaders => ({ all, subgraphs: {} });

interface Asking {
  viewer?: Viewer | null;
  address?: string;
  forwarded?: ForwardedHeaders;
}

/** Which of these callers, one after the other, have to wait. */
async function refused(env: Record<string, string>, asking: readonly Asking[]): Promise<boolean[]> {
  const countRequest = requestCounter({
    config: readConfig(env),
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });
  const told: boolean[] = [];
  for (const { viewer = null, address = '192.0.2.1', forwarded } of asking) {
    const client = { address, userAgent: '' };
    const scope = { requestId: 'r', viewer, client, signal: new AbortController().signal, reply: { cookies: [] } };
    const taken = countRequest(operationContext(scope, forwarded).scope);
    told.push(
      await taken.then(
        () => false,
        () => true,
      ),
    );
  }
  return told;
}

describe('a viewer who sends too many requests', () => {
  const once = { GRAPHQL_REQUESTS_PER_VIEWER: '1' };
  const again = (more: Asking) => refused(once, [{ viewer: someone }, { viewer: someone, ...more }]);

  it.each<[string, Asking]>([
    ['a session of another device', { viewer: { ...someone, sessionId: readId('s2'), tokenId: 't2' } }],
    [
      'another organization',
      { viewer: { ...someone, organizationId: readId('o2'), organizationSlug: 'p', sessionId: readId('s2') } },
    ],
    ['a header that is passed on', { forwarded: toAll({ 'x-tenant': ownHeaderValue('made up') }) }],
    ['another address', { address: '192.0.2.2' }],
  ])('has to wait with %s too', async (_what, more) => {
    expect(await again(more)).toEqual([false, true]);
  });

  it.each<[string, Viewer]>([
    ['another person', { ...someone, userId: readId('u2') }],
    ['a customer of the same id', { kind: 'customer', custId: 'u1', issuedAt: 0, expiresAt: 0 }],
    ['a bearer of a legacy token of the same id', { kind: 'legacy-user', subject: 'u1', role: 'MEMBER', expiresAt: 0 }],
    ['a service', { kind: 'service' }],
  ])('is not %s', async (_who, viewer) => {
    expect(await again({ viewer })).toEqual([false, false]);
  });
});

describe('a client without a verified viewer', () => {
  it('is counted by address, whatever credential is forwarded', async () => {
    const forwarded = (authorization: string) => ({
      forwarded: toAll({ authorization: ownHeaderValue(authorization) }),
    });

    expect(
      await refused({ GRAPHQL_REQUESTS_PER_ADDRESS: '1' }, [
        forwarded('Bearer one'),
        forwarded('Bearer two'),
        { ...forwarded('Bearer one'), address: '192.0.2.2' },
      ]),
    ).toEqual([false, true, false]);
  });
});
