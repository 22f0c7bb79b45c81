import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { checkedName, LARGEST_BYTES, surplusOf, type Kept, type ReceiptStore } from '#ports/receipt-store.ts';

/** A file of ours, or one that is being written, or was when its process ended. */
const OURS = /^[0-9a-f]{64}(\.[0-9a-f-]{36})?$/;

/** Keeps receipts in a folder that only its owner may read. It is made when the first one is kept. */
export function diskReceiptStore(folder: string): ReceiptStore {
  const fileOf = (name: string) => join(folder, checkedName(name));

  async function kept(name: string): Promise<Kept[]> {
    const found = await lstat(join(folder, name)).catch(missingIsNull);
    return found?.isFile() ? [{ name, keptAt: found.mtime }] : [];
  }

  return {
    async find(name, signal) {
      await using file = await open(fileOf(name), 'r').catch(missingIsNull);
      if (!file) return null;
      const { size } = await file.stat();
      if (size > LARGEST_BYTES) throw new RangeError(`a printed receipt has ${size} bytes`);
      return await file.readFile({ signal });
    },
    async keep(name, bytes, signal) {
      const file = fileOf(name);
      const half = `${file}.${randomUUID()}`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        await writeFile(half, bytes, { flag: 'wx', mode: 0o600, signal });
        await rename(half, file);
      } catch (error) {
        await rm(half, { force: true });
        throw error;
      }
    },
    async sweep(until, most, signal) {
      const names = (await readdir(folder).catch(missingIsNull)) ?? [];
      const all: Kept[] = [];
      for (const name of names.filter((each) => OURS.test(each))) {
        signal.throwIfAborted();
        all.push(...(await kept(name)));
      }
      for (const name of surplusOf(all, until, most)) {
        signal.throwIfAborted();
        await rm(join(folder, name), { force: true });
      }
    },
  };
}

function missingIsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
