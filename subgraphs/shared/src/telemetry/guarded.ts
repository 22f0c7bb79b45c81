import type { Log } from './log.ts';

/**
 * Wraps a callback for a library or an event, and logs what it throws or its promise rejects with. An error thrown into
 * the library would end the process, and all requests with it.
 *
 * @param what the callback does, for the log
 */
export const guarded =
  <Parameters extends unknown[]>(log: Pick<Log, 'error'>, what: string, run: (...parameters: Parameters) => unknown) =>
  (...parameters: Parameters): void => {
    const failed = (err: unknown) => log.error({ err }, `${what} failed`);
    try {
      const result = run(...parameters);
      if (result instanceof Promise) result.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
