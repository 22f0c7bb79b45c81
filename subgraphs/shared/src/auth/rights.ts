import { Refusal } from '../errors.ts';
import type { Staff, Viewer } from './viewer.ts';

/** Why a stream must end: the credential is no longer valid, or its viewer has lost a permission. */
export type Loss = 'revoked' | 'changed';

/** Reports when a viewer loses a right, whichever process made the change. */
export interface Rights {
  /**
   * Reads a viewer's rights, and watches them from then on.
   *
   * @param onLoss called once, when any of it is gone
   * @returns a function that ends the watch
   */
  watch(viewer: Staff, onLoss: (loss: Loss) => void): Promise<() => void>;
  /** Whether a viewer's session and token are still valid, by the database. */
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
 * Forwards the events of a stream as long as its viewer keeps the rights that they had when it began.
 *
 * @param open begins the stream, when the viewer is watched already, so that no change is missed in between
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
          next.catch(() => undefined); // nobody reads an aborted stream
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
