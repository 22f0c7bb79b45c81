import type { ObjectStore } from '#ports/object-store.ts';
import { asStoreFailure } from '../../storage/store-failure.ts';
import { rarely } from './rarely.ts';

/**
 * Makes every method of a store throw a refusal when the store is full, can't be written or can't be reached.
 *
 * @param prepare is awaited before each method
 */
export function guarded(store: ObjectStore, prepare: () => Promise<void> = async () => undefined): ObjectStore {
  const guard =
    <Given extends unknown[], Answer>(method: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      try {
        await prepare();
        return await method(...given);
      } catch (error) {
        throw asStoreFailure(error);
      }
    };
  return {
    put: guard(store.put),
    putFile: guard(store.putFile),
    open: guard(async (key) => {
      const object = await store.open(key);
      const atOnce = object?.readAtOnce && { readAtOnce: guard(object.readAtOnce) };
      return object && { ...object, read: guard(object.read), ...atOnce };
    }),
    fetch: guard(store.fetch),
    stat: guard(store.stat),
    copy: guard(store.copy),
    move: guard(store.move),
    remove: guard(store.remove),
    removeAll: guard(store.removeAll),
    async *list(prefix) {
      try {
        await prepare();
        yield* store.list(prefix);
      } catch (error) {
        throw asStoreFailure(error);
      }
    },
    presign: guard(store.presign),
    check: rarely(guard(store.check)),
  };
}
