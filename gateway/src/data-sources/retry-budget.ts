/**
 * How many retries a subgraph gets: a share of what it is asked, so that retries can't turn a slow
 * subgraph into a flooded one.
 */
export interface RetryBudget {
  /** To be called for each first try. */
  earn(): void;
  /** Whether one more try may be made; it is then paid for. */
  spend(): boolean;
}

/** @param share retries for each request, such as 0.1; up to ten are saved for bad moments */
export function retryBudget(share: number): RetryBudget {
  const MOST = 10;
  let saved = share > 0 ? MOST : 0;
  return {
    earn() {
      saved = Math.min(MOST, saved + share);
    },
    spend() {
      if (saved < 1) return false;
      saved -= 1;
      return true;
    },
  };
}
