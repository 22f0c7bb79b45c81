/**
 * The retries that a subgraph gets: a share of its requests, so that retries can't overload a slow subgraph.
 */
export interface RetryBudget {
  /** To be called for each first attempt. */
  earn(): void;
  /** Whether another attempt may be made, which is then deducted. */
  spend(): boolean;
}

/** @param share retries per request, such as 0.1; up to ten unused ones are saved */
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
