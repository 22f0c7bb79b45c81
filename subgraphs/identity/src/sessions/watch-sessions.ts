import { badInput } from '@foyer/shared/errors';
import type { Id } from '@foyer/shared/ids';
import { requireStaff } from '@foyer/shared/viewer';
import { doorbell, newsOf } from '@foyer/shared/watch';

import type { Context } from '../context.ts';
import { channels } from './announcements.ts';
import { revokedSession, type RevokedSession } from './session.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'notices' | 'signal' | 'streams'>;

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
 * @throws {Refusal} `UNAUTHENTICATED`, `VALIDATION_FAILED` when `after` is none of our ids, `RATE_LIMITED`
 */
export async function watchSessions(
  { viewer, db, notices, signal, streams }: Needs,
  after?: string | null,
): Promise<SessionNews> {
  const { userId, sessionId } = requireStaff(viewer);
  const leave = streams.open(userId);
  const bell = doorbell(signal);
  bell.onEnd(leave);
  // Listen first, then look: nothing is missed.
  bell.onEnd(notices.on(channels.sessions, (user) => (user === null || user === userId) && bell.ring()));
  try {
    const from = after ? positionOf(after) : await lastPosition(db, userId);
    let position = from;
    const look = async () => {
      const rows = await db.authOutbox.findMany({
        where: { userId, topic: 'session_revoked', id: { gt: position } },
        orderBy: { id: 'asc' },
        take: BATCH,
      });
      position = rows.at(-1)?.id ?? position;
      return rows.map(revokedSession);
    };
    const isLast = (ended: RevokedSession) => ended.sessionId === sessionId;
    return { after: String(from), news: newsOf({ bell, look, isLast }) };
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
async function lastPosition(db: Needs['db'], userId: Id): Promise<bigint> {
  return (await db.authOutbox.aggregate({ where: { userId }, _max: { id: true } }))._max.id ?? 0n;
}
