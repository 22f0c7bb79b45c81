import { badInput } from '@foyer/shared/errors';
import type { Id } from '@foyer/shared/ids';
import { requireStaff } from '@foyer/shared/auth/viewer';
import { changeSignal, readChanges } from '@foyer/shared/events/changes';

import type { Context } from '../context.ts';
import { channels } from '../events/channels.ts';
import { revokedSession, type RevokedSession } from './revoked-session.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'events' | 'rights' | 'signal' | 'streams'>;

/** How many events are read at once. */
const BATCH = 100;

/** The stream of one user's ended sessions. */
export interface SessionStream {
  /** The position where it begins: earlier events are not in it. */
  after: string;
  revoked: AsyncIterableIterator<RevokedSession>;
}

/**
 * Streams the ended sessions of the viewer in order, from all replicas: those since `after`, and those to come. Ends
 * after the viewer's own session has ended, and when they lose a right.
 *
 * @param after the id of the last one that the client knows, `0` for all that are kept; without it, or with one from the
 *   future, only what comes from now on
 * @throws {Refusal} `UNAUTHENTICATED`, `VALIDATION_FAILED` when `after` is not an id of this stream, `RATE_LIMITED`
 */
export async function watchSessions(
  { viewer, db, events, rights, signal, streams }: Needs,
  after?: string | null,
): Promise<SessionStream> {
  const staff = requireStaff(viewer);
  const { userId, sessionId } = staff;
  const leave = streams.open(userId);
  const changes = changeSignal(signal);
  changes.onEnd(leave);
  // Subscribe before reading, so that nothing is missed.
  changes.onEnd(events.subscribe(channels.sessions, (user) => (user === null || user === userId) && changes.notify()));
  try {
    const from = await beginning(db, userId, after);
    let position = from;
    const over = { is: false };
    const end = () => {
      over.is = true;
      changes.notify();
    };
    changes.onEnd(await rights.watch(staff, end));
    const read = async () => {
      const isLastLook = over.is; // events committed with the loss are sent before the end
      const rows = await db.authOutbox.findMany({
        where: { userId, topic: 'session_revoked', id: { gt: position } },
        orderBy: { id: 'asc' },
        take: BATCH,
      });
      position = rows.at(-1)?.id ?? position;
      if (isLastLook && rows.length === 0) changes.end();
      return rows.map(revokedSession);
    };
    const isLast = (ended: RevokedSession) => ended.sessionId === sessionId;
    return { after: String(from), revoked: readChanges({ changes, read, isLast }) };
  } catch (error) {
    changes.end();
    throw error;
  }
}

/** An id from the future would silence the stream until it is reached. */
async function beginning(db: Needs['db'], userId: Id, after: string | null | undefined): Promise<bigint> {
  const known = after ? positionOf(after) : null;
  const last = await lastPosition(db, userId);
  return known === null || known > last ? last : known;
}

function positionOf(after: string): bigint {
  if (/^\d{1,18}$/.test(after)) return BigInt(after);
  throw badInput([{ path: 'after', message: 'is not the id of an event of this stream' }]);
}

/** The last position of this user: only the events of one user are committed in the order of their ids. */
async function lastPosition(db: Needs['db'], userId: Id): Promise<bigint> {
  return (await db.authOutbox.aggregate({ where: { userId }, _max: { id: true } }))._max.id ?? 0n;
}
