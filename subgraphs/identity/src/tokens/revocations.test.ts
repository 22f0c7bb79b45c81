import { randomUUID } from 'node:crypto';

import type { Events } from '@foyer/shared/events/events';
import { openLog } from '@foyer/shared/telemetry/log';
import type { Staff } from '@foyer/shared/auth/viewer';
import { describe, expect, it, vi } from 'vitest';

import { revocations, type RevocationFail } from './revocations.ts';
import { tokenRecords } from './token-records.ts';

const now = new Date('2030-01-01T12:00:00Z');
const silent: Events = { subscribe: () => () => undefined, stop: () => Promise.resolve() };
const bearer = { kind: 'staff', userId: randomUUID(), sessionId: randomUUID(), issuedAt: 1_000 } as Staff;

const recordsIn = (db: object, events = silent) =>
  tokenRecords({ db: db as never, events, clock: { now: () => now }, accessSeconds: 900 });

/** Revocations over a database with these blocks and ended sessions, or one that is down. */
function knowing(known: { blocks?: object[]; ended?: object[] } | 'down', onFailure: RevocationFail) {
  const answer = (rows: object[] = []) =>
    known === 'down' ? Promise.reject(new Error('the database is down')) : Promise.resolve(rows);
  const db = {
    userBlock: { findMany: () => answer(known === 'down' ? [] : known.blocks) },
    $queryRaw: () => answer(known === 'down' ? [] : known.ended),
  };
  return revocations({ records: recordsIn(db), log: openLog('silent'), onFailure }).standingOf(bearer);
}

const asDecided: RevocationFail = { reads: 'open', writes: 'closed' };

describe('a token', () => {
  it('is valid from the second of the block time on', async () => {
    const blockedAt = (seconds: number) => ({
      blocks: [{ userId: bearer.userId, notBefore: new Date(seconds * 1_000) }],
    });
    expect(await knowing(blockedAt(1_000), asDecided)).toBe('good');
    expect(await knowing(blockedAt(1_001), asDecided)).toBe('revoked');
    expect(await knowing({ blocks: [{ userId: randomUUID(), notBefore: now }] }, asDecided)).toBe('good');
  });

  it('ends with its session', async () => {
    expect(await knowing({ ended: [{ sessionId: bearer.sessionId }] }, asDecided)).toBe('revoked');
  });
});

describe('a revocation during a reading', () => {
  it('causes another reading, as soon as its event arrives', async () => {
    const listeners: (() => void)[] = [];
    const events = {
      ...silent,
      subscribe: (_: string, listener: () => void) => listeners.push(listener),
    } as unknown as Events;
    const reading = Promise.withResolvers<object[]>();
    const answers = [reading.promise];
    const ended = [{ sessionId: bearer.sessionId }];
    const db = {
      userBlock: { findMany: () => Promise.resolve([]) },
      $queryRaw: () => answers.pop() ?? Promise.resolve(ended),
    };
    const records = recordsIn(db, events);
    const { standingOf } = revocations({ records, log: openLog('silent'), onFailure: asDecided });

    const standing = standingOf(bearer);
    for (const listener of listeners) listener();
    reading.resolve([]); // the previous content

    expect(await standing).toBe('good');
    await expect.poll(() => standingOf(bearer)).toBe('revoked');
  });
});

describe('a revocation whose event is lost', () => {
  it('is known five seconds later', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const answers = [[], [{ sessionId: bearer.sessionId }]];
      const db = {
        userBlock: { findMany: () => Promise.resolve([]) },
        $queryRaw: () => Promise.resolve(answers.shift()),
      };
      const { standingOf } = revocations({ records: recordsIn(db), log: openLog('silent'), onFailure: asDecided });
      expect(await standingOf(bearer)).toBe('good');
      vi.advanceTimersByTime(5_001);
      expect(await standingOf(bearer)).toBe('revoked');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('while revocations can not be read', () => {
  it('a token is valid for reading only, unless the operator says otherwise', async () => {
    expect(await knowing('down', asDecided)).toBe('unknown');
    expect(await knowing('down', { reads: 'open', writes: 'open' })).toBe('good');
  });

  it('a server that fails closed refuses everybody', async () => {
    const refused = knowing('down', { reads: 'closed', writes: 'closed' });
    await expect(refused).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', reason: 'REVOCATION_UNKNOWN' });
  });
});
