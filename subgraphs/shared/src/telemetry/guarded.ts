import type { Log } from './log.ts';

/**
 * Makes a callback for a library or an event: what it throws, or its promise rejects with, is in the log and goes no
 * further. Thrown into the library it would end the process, and everybody's requests with it.
 *
 * @param what was being done, for the log
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
