import { Refusal } from '../errors.ts';
import type { Staff, Viewer } from './viewer.ts';

/** Why a stream may not go on: the credential no longer holds, or what its viewer may do has become less. */
export type Loss = 'revoked' | 'changed';

/** Tells, as identity knows it and whichever process made the change, when somebody loses a right. */
export interface Rights {
  /**
   * Notes what somebody may do now, and watches over it from then on.
   *
   * @param onLoss called once, when any of it is gone
   * @returns what ends the watch
   */
  watch(viewer: Staff, onLoss: (loss: Loss) => void): Promise<() => void>;
  /** Whether somebody's session and token still count, as the database has it now. */
  stands(viewer: Staff): Promise<boolean>;
}

const rightsChanged = () => new Refusal('FORBIDDEN', 'RIGHTS_CHANGED', 'What you may do has changed: subscribe again.');

const tokenRevoked = () => new Refusal('UNAUTHENTICATED', 'TOKEN_REVOKED', 'The token was revoked.');

interface Needs {
  viewer: Viewer | null;
  signal: AbortSignal;
  rights: Rights;
}

/**
 * Passes the events of a stream on for as long as its viewer holds what they held when it began.
 *
 * @param open begins the stream; by then the viewer is watched, so that nothing is lost between a check and the watch
 * @throws {Refusal} from `next()`: `RIGHTS_CHANGED`, `TOKEN_REVOKED`
 */
export async function whileRightsHold<Event>(
  { viewer, signal, rights }: Needs,
  open: () => Promise<AsyncIterable<Event>>,
): Promise<AsyncIterable<Event>> {
  if (viewer?.kind !== 'staff') return open();
  const state: { loss?: Loss; wake?: () => void } = {};
  const stop = await rights.watch(viewer, (loss) => {
    state.loss = loss;
    state.wake?.();
  });
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const end = () => {
    signal.removeEventListener('abort', stop);
    stop();
  };
  const events = await open().then(
    (stream) => stream[Symbol.asyncIterator](),
    (error: unknown) => {
      end();
      throw error;
    },
  );

  async function leave(): Promise<IteratorResult<Event>> {
    end();
    await events.return?.();
    return { done: true, value: undefined };
  }
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const next = events.next();
        const woken = new Promise<void>((resolve) => (state.wake = resolve));
        await (state.loss ? undefined : Promise.race([next, woken]));
        if (state.loss) {
          next.catch(() => undefined); // what a stream says that is cut off is heard by nobody
          await leave();
          throw state.loss === 'revoked' ? tokenRevoked() : rightsChanged();
        }
        const result = await next;
        if (result.done) end();
        return result;
      },
      return: leave,
      async throw(error) {
        await leave();
        throw error;
      },
    }),
  };
}
