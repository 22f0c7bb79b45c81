import { badInput, Refusal } from '@foyer/shared/errors';
import { unauthenticated, type Viewer } from '@foyer/shared/auth/viewer';
import { databaseBusy } from '@foyer/shared/database-errors';
import type { Log } from '@foyer/shared/telemetry/log';

import type { Loaders } from './loaders.ts';

/** What became of one item of a request for many. */
export interface ItemOutcome {
  id: string;
  /** Why nothing was done to it; null when it was done. */
  refusal: { code: string; reason: string; message: string } | null;
}

const ITEMS_LIMIT = 100;

interface Needs {
  viewer: Viewer | null;
  log: Log;
  loaders: Loaders;
}

/**
 * Does the same to each of these items, one after the other. An item that is refused, or that fails, holds none of the
 * others up.
 *
 * @param ids repeated ones count once
 * @throws {Refusal} `UNAUTHENTICATED`, `VALIDATION_FAILED` for too many items
 */
export async function forEachItem(
  { viewer, log, loaders }: Needs,
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<ItemOutcome[]> {
  if (!viewer) throw unauthenticated();
  const items = [...new Set(ids)];
  if (items.length > ITEMS_LIMIT)
    throw badInput([{ path: 'mediaIds', message: `must have at most ${ITEMS_LIMIT} entries` }]);
  await loaders.media.loadMany(items); // one query for all of them
  const outcomes: ItemOutcome[] = [];
  for (const id of items) {
    const refusal = await work(id).then(
      () => null,
      (error: unknown) => refusalOf(error, log),
    );
    outcomes.push({ id, refusal });
  }
  return outcomes;
}

function refusalOf(error: unknown, log: Log): ItemOutcome['refusal'] {
  const refusal = error instanceof Refusal ? error : databaseBusy(error);
  if (refusal) return { code: refusal.code, reason: refusal.reason, message: refusal.message };
  log.error({ err: error }, 'one of many media items failed');
  return failed;
}

/** As an unexpected error looks to clients. */
const failed = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'INTERNAL_SERVER_ERROR',
  message: 'Something went wrong on our side.',
};
