import { createContext, Script, type Context } from 'node:vm';

const script = new Script('work()');
/** Made when it is first needed. */
let room: Context | undefined;

/**
 * Runs synchronous work, and stops it when it takes too long. What it was doing then is not undone: nothing in it may be
 * needed afterwards, not even a `finally`.
 *
 * @param ms without it there is no limit
 * @throws what `tooLong` returns, when it takes too long
 */
export function withinTime<Result>(ms: number | undefined, work: () => Result, tooLong: () => Error): Result {
  if (ms === undefined) return work();
  room ??= createContext({});
  room['work'] = work;
  try {
    return script.runInContext(room, { timeout: ms }) as Result;
  } catch (error) {
    throw isTimeout(error) ? tooLong() : error;
  } finally {
    delete room['work'];
  }
}

/** The error is of the other context, where `Error` is another class. */
const isTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
