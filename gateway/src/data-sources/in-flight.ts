/** Work that several callers wait for; it is cancelled when the last of them leaves. */
interface Shared<Result> {
  promise: Promise<Result>;
  waiting: number;
  giveUp: AbortController;
}

/** Runs work once for all callers that request it while it is under way. */
export function inFlight<Result>() {
  const shared = new Map<string, Shared<Result>>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<Result>): Shared<Result> {
    const giveUp = new AbortController();
    const one = { promise: work(giveUp.signal), waiting: 0, giveUp };
    shared.set(key, one);
    const forget = () => {
      if (shared.get(key) === one) shared.delete(key);
    };
    one.promise.then(forget, forget);
    return one;
  }

  /**
   * @param key everything that the result may depend on
   * @param leaving aborts when this caller leaves
   */
  return async (key: string, leaving: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    const one = shared.get(key) ?? begin(key, work);
    one.waiting += 1;
    const leave = () => {
      one.waiting -= 1;
      if (one.waiting > 0) return;
      shared.delete(key);
      one.giveUp.abort(leaving.reason);
    };
    if (leaving.aborted) leave();
    else leaving.addEventListener('abort', leave, { once: true });
    try {
      return await one.promise;
    } finally {
      leaving.removeEventListener('abort', leave);
    }
  };
}
