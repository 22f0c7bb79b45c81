import { useCallback, useEffect, useState } from 'react';

import { isPassing } from './refusals.ts';
import { returned } from './sockets.ts';

/** The context of such a query: Apollo would give a reading the answer to the one before it, which is as old. */
export const readAnew = { queryDeduplication: false };

const LOOK_AGAIN_MS = 5_000;

/**
 * Returns a function that reads a query again. What changes while it is being read, be it for the first time, causes one more
 * reading: an answer that is under way may not know of it. The query is also read when somebody comes back to the page.
 */
export function useReadAgain({ loading, refetch }: { loading: boolean; refetch: () => Promise<unknown> }): () => void {
  const [isDue, setDue] = useState(false);
  const readAgain = useCallback(() => setDue(true), []);
  useEffect(() => {
    if (!isDue || loading) return;
    setDue(false);
    refetch().catch((error: unknown) => {
      if (isPassing(error) || error instanceof TypeError) setTimeout(readAgain, LOOK_AGAIN_MS);
    });
  }, [isDue, loading, refetch, readAgain]);
  useEffect(() => {
    const watched = returned.subscribe(readAgain);
    return () => watched.unsubscribe();
  }, [readAgain]);
  return readAgain;
}
