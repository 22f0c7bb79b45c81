import { badInput } from '@foyer/shared/errors';
import { requireStaff } from '@foyer/shared/viewer';

import type { Context } from '../context.ts';
import { channels } from './announcements.ts';
import { revokedSession, type RevokedSession } from './session.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'notices' | 'signal'>;

/** How many are read at once. */
const BATCH = 100;

/** The stream of one user's ended sessions. */
export interface SessionNews {
  /** Where it begins: what came until then is not in it. */
  after: string;
  news: AsyncIterableIterator<RevokedSession>;
}

/**
 * Tells which of the viewer's sessions have ended, in their order, from whichever replica: what was
 * missed since `after`, and what comes. Ends after the viewer's own session has.
 *
 * @param after the id of the last one that the client knows; without it only what comes from now on
 * @throws {Refusal} `UNAUTHENTICATED`, `VALIDATION_FAILED` when `after` is none of our ids
 */
export async function watchSessions(
  { viewer, db, notices, signal }: Needs,
  after?: string | null,
): Promise<SessionNews> {
  const { userId, sessionId } = requireStaff(viewer);
  const bell = doorbell(signal);
  // Listen first, then look: nothing is missed.
  bell.onEnd(notices.on(channels.sessions, (user) => (user === null || user === userId) && bell.ring()));
  try {
    const from = after ? positionOf(after) : await lastPosition(db, userId);
    const look = (position: bigint) =>
      db.authOutbox.findMany({
        where: { userId, topic: 'session_revoked', id: { gt: position } },
        orderBy: { id: 'asc' },
        take: BATCH,
      });
    return { after: String(from), news: newsFrom(from, look, bell, sessionId) };
  } catch (error) {
    bell.end();
    throw error;
  }
}

function positionOf(after: string): bigint {
  if (/^\d{1,18}$/.test(after)) return BigInt(after);
  throw badInput([{ path: 'after', message: 'is not the id of an event of this stream' }]);
}

/** Of this user: only theirs are committed in the order of their ids. */
async function lastPosition(db: Needs['db'], userId: string): Promise<bigint> {
  return (await db.authOutbox.aggregate({ where: { userId }, _max: { id: true } }))._max.id ?? 0n;
}

type Bell = ReturnType<typeof doorbell>;
type Look = (position: bigint) => Promise<Parameters<typeof revokedSession>[0][]>;

/** Written by hand: an async generator could not be left while it waits. */
function newsFrom(position: bigint, look: Look, bell: Bell, ownSession: string): AsyncIterableIterator<RevokedSession> {
  const waiting: RevokedSession[] = [];
  const finished = { done: true, value: undefined } as const;

  return {
    async next() {
      while (!bell.ended() && waiting.length === 0) {
        const rung = bell.rung();
        const rows = await look(position);
        position = rows.at(-1)?.id ?? position;
        waiting.push(...rows.map(revokedSession));
        if (waiting.length === 0) await rung;
      }
      const value = waiting.shift();
      if (bell.ended() || !value) return finished;
      if (value.sessionId === ownSession) bell.end();
      return { done: false, value };
    },
    async return() {
      bell.end();
      return finished;
    },
    async throw(error) {
      bell.end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Rings when there is something to look at, and one last time at the end. */
function doorbell(signal: AbortSignal) {
  let { promise, resolve } = Promise.withResolvers<void>();
  let over = false;
  const enders: (() => void)[] = [];
  const ring = () => {
    resolve();
    ({ promise, resolve } = Promise.withResolvers<void>());
  };
  const end = () => {
    if (over) return;
    over = true;
    signal.removeEventListener('abort', end);
    for (const ender of enders) ender();
    ring();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });

  return {
    ring,
    /** Settles at the next ring after this call. */
    rung: () => promise,
    end,
    ended: () => over,
    onEnd: (ender: () => void) => void (over ? ender() : enders.push(ender)),
  };
}
