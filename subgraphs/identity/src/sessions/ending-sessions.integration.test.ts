import { waitsForALock } from '@foyer/prisma/testing/waits-for-a-lock';
import { systemClock } from '@foyer/shared/clock';
import type { Events } from '@foyer/shared/events/events';
import { readId } from '@foyer/shared/ids';
import type { RequestScope, SetCookie } from '@foyer/shared/http/request';
import { decodeJwt } from 'jose';
import { parse, subscribe, type ExecutionResult } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { Identity } from '../app.ts';
import { createMember, createOrganization } from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity, type Tokens } from '../testing/test-identity.ts';
import { sweepExpired } from '../sweeper/sweep-expired.ts';
import { tokenRecords } from '../tokens/token-records.ts';
import { blockUser, endSessionsOf } from './end-sessions.ts';

let identity: TestIdentity;
/** Another process on the same database. */
let replica: Identity;

beforeAll(async () => {
  identity = await startTestIdentity();
  replica = await identity.open();
});
afterAll(async () => {
  await replica.stop();
  await identity.stop();
});

const noEvents: Events = { subscribe: () => () => undefined, stop: () => Promise.resolve() };
const needs = { clock: systemClock, tokens: { accessSeconds: 900 } as never };
const sessionOf = ({ accessToken }: Tokens) => String(decodeJwt(accessToken)['sid']);
const userOf = ({ accessToken }: Tokens) => readId(String(decodeJwt(accessToken)['uid']));
const admits = (identity: Identity, { accessToken }: Tokens) =>
  identity.authenticate({ authorization: `Bearer ${accessToken}` }).then(
    () => true,
    () => false,
  );

/** Whether a replica refuses them within a few seconds. */
const refusedInTime = (identity: Identity, tokens: Tokens) =>
  vi.waitFor(
    async () => {
      expect(await admits(identity, tokens)).toBe(false);
      return true;
    },
    { timeout: 50_000, interval: 100 },
  );

async function listen(identity: Identity, { accessToken }: Tokens, after?: string) {
  const leaving = new AbortController();
  const scope: RequestScope = {
    requestId: 'test',
    viewer: (await identity.authenticate({ authorization: `Bearer ${accessToken}` })).viewer,
    client: { address: '192.0.2.1', userAgent: 'a browser' },
    signal: leaving.signal,
    reply: { cookies: [] as SetCookie[] },
  };
  const stream = await subscribe({
    schema: identity.schema,
    document: parse('subscription ($after: ID) { sessionRevoked(after: $after) { id sessionId reason } }'),
    variableValues: { after },
    contextValue: identity.contextFor(scope),
  });
  if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream));
  return {
    async next() {
      const { value, done } = (await stream.next()) as IteratorResult<ExecutionResult>;
      return done ? null : (value.data?.['sessionRevoked'] as { id: string; sessionId: string; reason: string });
    },
    leave: () => leaving.abort(),
  };
}

describe('the stream of a reader who knows no event yet', () => {
  it('begins with the very first, also when it came before the stream', async () => {
    const phone = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const laptop = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    await identity.ask('mutation { revokeOtherSessions { count } }', {}, { token: laptop.accessToken });

    const stream = await listen(identity.subgraph, laptop, '0');
    expect(await stream.next()).toMatchObject({ sessionId: sessionOf(phone) });
    stream.leave();
  });
});

describe('revoking', () => {
  it("refuses the ended session's access token on every replica within five seconds, and no other", async () => {
    const phone = await identity.loggedIn('member@acme.test', 'ACME');
    const laptop = await identity.loggedIn('member@acme.test', 'ACME');
    expect(await admits(replica, phone)).toBe(true);

    const revoke = 'mutation ($id: ID!) { revokeSession(id: $id) { count } }';
    const { data } = await identity.ask(revoke, { id: sessionOf(phone) }, { token: laptop.accessToken });

    expect(data?.['revokeSession']).toEqual({ count: 1 });
    expect(await refusedInTime(replica, phone)).toBe(true);
    expect(await admits(replica, laptop)).toBe(true);
    expect((await identity.refresh(phone.refreshToken)).error?.['reason']).toBe('invalid_refresh_token');
  });

  it("answers SESSION_NOT_FOUND for somebody else's session, for none, and for nonsense, and ends nothing", async () => {
    const mine = await identity.loggedIn('member@acme.test', 'ACME');
    const theirs = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const revoke = 'mutation ($id: ID!) { revokeSession(id: $id) { count } }';
    for (const id of [sessionOf(theirs), '7c0ffee0-0000-4000-8000-000000000000', 'nonsense']) {
      const { error } = await identity.ask(revoke, { id }, { token: mine.accessToken });
      expect(error).toMatchObject({ code: 'NOT_FOUND', reason: 'SESSION_NOT_FOUND' });
    }
    expect((await identity.refresh(theirs.refreshToken)).error).toBeUndefined();
  });

  it('of one session by ten at the same time happens once, with one event and one line in the audit log', async () => {
    const phone = await identity.loggedIn('viewer@acme.test', 'ACME');
    const laptop = await identity.loggedIn('viewer@acme.test', 'ACME');
    const id = sessionOf(phone);
    const revoke = 'mutation ($id: ID!) { revokeSession(id: $id) { count } }';

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => identity.ask(revoke, { id }, { token: laptop.accessToken })),
    );

    expect(answers.filter(({ data }) => data)).toHaveLength(1);
    expect(await identity.db.auditEntry.count({ where: { action: 'session.ended', targetId: id } })).toBe(1);
    expect(await identity.db.authOutbox.count({ where: { payload: { path: ['session_id'], equals: id } } })).toBe(1);
  });
});

describe('a change that invalidates tokens', () => {
  it('stops every token of the user, and the next refresh brings one that counts', async () => {
    const before = await identity.loggedIn('viewer@acme.test', 'ACME');
    await identity.db.$transaction((tx) => blockUser(needs, tx, userOf(before)));

    const after = (await identity.refresh(before.refreshToken)).data?.['refresh'] as Tokens;

    expect(await refusedInTime(replica, before)).toBe(true);
    expect(await admits(replica, after)).toBe(true);
    expect(await admits(identity.subgraph, after)).toBe(true);
  });

  it('is in every token that is signed while it is made: none has the old role and counts', async () => {
    const before = await identity.loggedIn('viewer@acme.test', 'ACME');
    const userId = userOf(before);
    const key = { userId };
    const { refreshed } = await identity.db.$transaction(
      async (tx) => {
        await tx.organizationMember.updateMany({ where: key, data: { role: 'ORG_MANAGER', roleId: 'ORG_MANAGER' } });
        await blockUser(needs, tx, userId);
        const refreshed = identity.refresh(before.refreshToken);
        await Promise.race([refreshed, waitsForALock(identity.db)]);
        return { refreshed };
      },
      { timeout: 60_000 },
    );
    const renewed = (await refreshed).data?.['refresh'] as Tokens;
    await identity.db.organizationMember.updateMany({ where: key, data: { role: 'ORG_MEMBER', roleId: 'ORG_MEMBER' } });

    expect(decodeJwt(renewed.accessToken)['org']).toMatchObject({ role: 'ORG_MANAGER' });
  });

  it('ends all sessions but one on request, whose tokens stay valid', async () => {
    const kept = await identity.loggedIn('member@acme.test', 'ACME');
    const other = await identity.loggedIn('member@acme.test', 'ACME');
    const which = { reason: 'password_changed', except: sessionOf(kept) } as const;
    await identity.db.$transaction((tx) => endSessionsOf(needs, tx, userOf(kept), which));

    expect(await refusedInTime(replica, other)).toBe(true);
    expect(await admits(replica, kept)).toBe(true);
    expect((await identity.refresh(kept.refreshToken)).error).toBeUndefined();
  });
});

describe('processes whose clocks differ by a minute', () => {
  const clockAt = (seconds: number) => ({ now: () => new Date(start + seconds * 1_000) });
  const start = Date.now();
  const revokedAt = (seconds: number) =>
    tokenRecords({ db: identity.db, events: noEvents, clock: clockAt(seconds), accessSeconds: 900 }).readRevoked();

  it('remember what was revoked until the last token has expired', async () => {
    const ended = await identity.loggedIn('member@acme.test', 'ACME');
    const userId = userOf(ended);
    await identity.db.$transaction((tx) =>
      endSessionsOf({ ...needs, clock: clockAt(-60) }, tx, userId, { reason: 'revoked' }),
    );

    const { endedSessions, blocks } = await revokedAt(850);

    expect([...endedSessions]).toContain(sessionOf(ended));
    expect([...blocks.keys()]).toContain(userId);
  });

  it('keep the later of two block times', async () => {
    const userId = userOf(await identity.loggedIn('viewer@acme.test', 'ACME'));
    for (const seconds of [100, 40])
      await identity.db.$transaction((tx) => blockUser({ ...needs, clock: clockAt(seconds) }, tx, userId));
    expect((await revokedAt(50)).blocks.get(userId)).toBe(Math.ceil(start / 1_000 + 100));
    await identity.db.userBlock.delete({ where: { userId } });
  });
});

describe('the subscription sessionRevoked', () => {
  it('reports on one replica what ended on another, in order, and ends with its own session', async () => {
    const listener = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const others = [];
    for (let count = 0; count < 3; count++) others.push(await identity.loggedIn('orgadmin@acme.test', 'ACME'));
    const stream = await listen(replica, listener);

    for (const other of others) await identity.ask('mutation { logout { ended } }', {}, { token: other.accessToken });
    const heard = [await stream.next(), await stream.next(), await stream.next()];
    await identity.ask('mutation { logout { ended } }', {}, { token: listener.accessToken });

    expect(heard.map((event) => event?.sessionId)).toEqual(others.map(sessionOf));
    expect(heard[0]?.reason).toBe('logout');
    expect((await stream.next())?.sessionId).toBe(sessionOf(listener));
    expect(await stream.next()).toBeNull();
  });

  it('replays what was missed since `after`, and reveals nothing about anybody else', async () => {
    const listener = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const [first, second] = [
      await identity.loggedIn('orgadmin@acme.test', 'ACME'),
      await identity.loggedIn('orgadmin@acme.test', 'ACME'),
    ];
    const stranger = await identity.loggedIn('member@acme.test', 'ACME');
    const stream = await listen(identity.subgraph, listener);
    await identity.ask('mutation { logout { ended } }', {}, { token: first.accessToken });
    const known = await stream.next();
    stream.leave();
    await identity.ask('mutation { logout { ended } }', {}, { token: stranger.accessToken });
    await identity.ask('mutation { logout { ended } }', {}, { token: second.accessToken });

    const again = await listen(replica, listener, known?.id);

    expect((await again.next())?.sessionId).toBe(sessionOf(second));
    again.leave();
    expect(await again.next()).toBeNull();
  });

  it('goes on when the connection that delivers the events was cut', async () => {
    const listener = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const other = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const stream = await listen(replica, listener);
    await identity.db.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN foyer%'`;
    await identity.ask('mutation { logout { ended } }', {}, { token: other.accessToken });

    expect((await stream.next())?.sessionId).toBe(sessionOf(other));
    stream.leave();
  });
});

describe('open streams', () => {
  it('are limited to twenty for one person; the next is refused until one closes', async () => {
    const crowd = await identity.loggedIn('viewer@acme.test', 'ACME');
    const other = await identity.loggedIn('member@acme.test', 'ACME');
    const streams = [];
    for (let count = 0; count < 20; count++) streams.push(await listen(identity.subgraph, crowd));
    await expect(listen(identity.subgraph, crowd)).rejects.toThrow('Too many attempts');
    streams.push(await listen(identity.subgraph, other));

    streams[0]?.leave();
    streams.push(await listen(identity.subgraph, crowd));

    await expect(listen(identity.subgraph, crowd)).rejects.toThrow('Too many attempts');
    for (const stream of streams) stream.leave();
  });
});

describe('the sweeper', () => {
  it('deletes what has expired, and nothing else', async () => {
    const live = await identity.loggedIn('member@acme.test', 'ACME');
    const dead = await identity.loggedIn('member@acme.test', 'ACME');
    const past = new Date(Date.now() - 25 * 60 * 60 * 1_000);
    await identity.db.refreshSession.update({ where: { id: sessionOf(dead) }, data: { expiresAt: past } });
    await identity.db.rateLimit.create({ data: { bucket: 'old', windowStartedAt: past, expiresAt: past } });
    const halfAMinuteAgo = new Date(Date.now() - 30_000); // or half a minute ahead, by a slower clock
    const lease = { bucket: 'lease', windowStartedAt: halfAMinuteAgo, expiresAt: halfAMinuteAgo };
    await identity.db.rateLimit.create({ data: lease });
    const old = { topic: 'session_revoked', userId: userOf(dead), payload: {}, createdAt: past };
    const { id } = await identity.db.authOutbox.create({ data: old });
    const removals = [{ idpId: 'long ago', removedAt: past }, { idpId: 'just now' }];
    await identity.db.providerRemoval.createMany({ data: removals });

    await sweepExpired({ ...needs, db: identity.db, log: { info: () => undefined } as never });

    expect(await identity.db.refreshSession.count({ where: { id: sessionOf(dead) } })).toBe(0);
    expect(await identity.db.refreshSession.count({ where: { id: sessionOf(live) } })).toBe(1);
    expect(await identity.db.rateLimit.count({ where: { bucket: 'old' } })).toBe(0);
    expect(await identity.db.rateLimit.count({ where: { bucket: 'lease' } })).toBe(1);
    expect(await identity.db.authOutbox.count({ where: { id } })).toBe(0);
    expect(await identity.db.providerRemoval.findMany()).toMatchObject([{ idpId: 'just now' }]);
  });

  it('keeps what revokes tokens as long as they last, and links and codes for a day after their time', async () => {
    const { db } = identity;
    const userId = await createMember(db, await createOrganization(db), 'ORG_MEMBER');
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const where = { userId };
    const hash = () => crypto.getRandomValues(new Uint8Array(32));
    const [late, email] = [{ expiresAt: hoursAgo(23) }, `${userId}@applicant.test`];
    await db.userBlock.create({ data: { userId, notBefore: new Date(), expiresAt: hoursAgo(-0.1) } });
    await db.authOutbox.create({ data: { topic: 'session_revoked', userId, payload: {}, createdAt: hoursAgo(23) } });
    await db.magicLink.create({ data: { userId, tokenHash: hash(), ...late } });
    await db.passwordReset.create({ data: { userId, tokenHash: hash(), ...late } });
    await db.emailVerificationCode.create({ data: { email, codeHash: hash(), ...late } });
    const left = async () => {
      await sweepExpired({ ...needs, db, log: { info: () => undefined } as never });
      const revoking = [await db.userBlock.count({ where }), await db.authOutbox.count({ where })];
      const links = [await db.magicLink.count({ where }), await db.passwordReset.count({ where })];
      return { revoking, links, codes: await db.emailVerificationCode.count({ where: { email } }) };
    };
    expect(await left()).toEqual({ revoking: [1, 1], links: [1, 1], codes: 1 });

    const data = { expiresAt: hoursAgo(25) };
    await db.userBlock.updateMany({ where, data });
    await db.magicLink.updateMany({ where, data });
    await db.passwordReset.updateMany({ where, data });
    await db.emailVerificationCode.updateMany({ where: { email }, data });
    expect(await left()).toEqual({ revoking: [0, 1], links: [0, 0], codes: 0 });
  });
});
