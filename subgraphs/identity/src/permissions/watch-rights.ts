import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Events } from '@foyer/shared/events/events';
import type { Loss, Rights } from '@foyer/shared/auth/rights';
import type { Staff } from '@foyer/shared/auth/viewer';

import { channels } from '../events/channels.ts';
import { readHoldings } from './read-holdings.ts';

interface Needs {
  db: IdentityDatabase;
  events: Events;
  log: Log;
}

interface Watched {
  viewer: Staff;
  /** What the viewer held when the watch began; a loss of any of it is reported. Null until it was read. */
  held: ReadonlySet<string> | null;
  /** A check came before `held` was read: check again afterwards. */
  isMissed?: true;
  onLoss(loss: Loss): void;
}

/** How many viewers are checked at once: many may be affected when a role of a large organization changes. */
const BATCH = 500;
/** How long to wait after a failed check. */
const RETRY_MS = 1_000;

export interface RightsWatch extends Rights {
  stop(): void;
}

/**
 * Watches what viewers hold: it subscribes to the database's events about rights, sessions and block times
 * (prisma/models/identity.sql), and checks whether they affect a watched viewer.
 */
export function watchRights({ db, events, log }: Needs): RightsWatch {
  const watched = new Set<Watched>();
  const doubted = new Set<Watched>();
  const timers: { retry?: NodeJS.Timeout } = {};
  let looking = false;

  function doubt(isMeant: (viewer: Staff) => boolean) {
    for (const one of watched) if (isMeant(one.viewer)) doubted.add(one);
    void lookUp();
  }
  async function lookUp() {
    if (looking) return;
    looking = true;
    try {
      while (doubted.size > 0) await lookUpSome([...doubted].slice(0, BATCH));
    } catch (error) {
      log.warn({ err: error }, 'rights could not be checked: trying again');
      timers.retry = setTimeout(() => void lookUp(), RETRY_MS).unref();
    } finally {
      looking = false;
    }
  }
  async function lookUpSome(some: readonly Watched[]) {
    for (const one of some) doubted.delete(one); // an event that arrives meanwhile causes another check
    try {
      const now = await readHoldings(
        db,
        some.map(({ viewer }) => viewer),
      );
      for (const one of some) judge(one, now(one.viewer));
    } catch (error) {
      for (const one of some) if (watched.has(one)) doubted.add(one);
      throw error;
    }
  }
  function judge(one: Watched, now: ReadonlySet<string>) {
    if (!one.held) {
      one.isMissed = true;
      return;
    }
    const gone = one.held.difference(now);
    if (gone.size === 0 || !watched.delete(one)) return;
    one.onLoss(gone.has('token') || gone.has('session') ? 'revoked' : 'changed');
  }

  const subscriptions = [
    events.subscribe(channels.rights, (whose) => doubt(meantBy(whose))),
    events.subscribe(channels.sessions, (user) => doubt(({ userId }) => user === null || user === userId)),
    events.subscribe(channels.blocks, () => doubt(() => true)),
  ];

  return {
    async watch(viewer, onLoss) {
      const one: Watched = { viewer, held: null, onLoss };
      watched.add(one); // before `held` is read, so that no change in between is missed
      try {
        one.held = (await readHoldings(db, [viewer]))(viewer);
        if (one.isMissed) doubt((each) => each === viewer);
      } catch (error) {
        watched.delete(one);
        throw error;
      }
      return () => {
        watched.delete(one);
        doubted.delete(one);
      };
    },
    async stands(viewer) {
      const held = (await readHoldings(db, [viewer]))(viewer);
      // The session has a row until it ends; the event of its end is not kept for long.
      const session = await db.refreshSession.count({ where: { id: viewer.sessionId, userId: viewer.userId } });
      return session > 0 && ['token', 'session', 'account active'].every((needed) => held.has(needed));
    },
    stop() {
      clearTimeout(timers.retry);
      watched.clear();
      doubted.clear();
      for (const end of subscriptions) end();
    },
  };
}

/**
 * The viewers whom an event concerns: a user, or everybody. After a change of an organization (`o/…`) everybody: guests
 * who hold something there have tokens of another organization.
 */
function meantBy(whose: string | null): (viewer: Staff) => boolean {
  if (whose === null || whose === '' || whose.startsWith('o/')) return () => true;
  return ({ userId }) => userId === whose;
}
