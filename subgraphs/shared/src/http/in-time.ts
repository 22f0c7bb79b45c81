/**
 * Runs a call with a signal that ends it after a time, and waits no longer itself: undici does not hear the signal while a
 * request waits for its connection. The timer ends with the call.
 *
 * @throws {DOMException} named `TimeoutError` when the time is over
 */
export async function inTime<Result>(
  timeoutMs: number,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const reason = new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError');
    ended.abort(reason);
    late.reject(reason);
  }, timeoutMs);
  try {
    return await Promise.race([call(ended.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
