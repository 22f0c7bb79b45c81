import { randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import {
  access,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  opendir,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { KeyRefused, ObjectMissing, type Listed, type ObjectStore, type Stored } from '#ports/object-store.ts';
import { pathOf, segmentsOf, straightPathOf } from './disk-paths.ts';
import { storeAway } from '../../storage/refusals.ts';
import { code, ignoring } from '../file-errors.ts';
import { guarded } from './guarded.ts';
import { keptFiles, type FileInUse } from './kept-files.ts';

interface Options {
  /** The root of the store, on one file system. */
  folder: string;
  bucket: string;
  /** A folder of this process alone, on the same file system: for what is being written or removed. */
  scratch: string;
  presign: (key: string, seconds: number) => URL;
}

/** How often a write is attempted when a concurrent removal deletes its folder. */
const MAX_ATTEMPTS = 5;

/** The size of the write probe: a store without that much space is full. */
const PROBE_BYTES = 64 * 1024;

/** Opens the object store on a local disk. A write ends with a rename, so that an object is there whole or not at all. */
export async function diskObjectStore({ folder, bucket, scratch, presign }: Options): Promise<ObjectStore> {
  await mkdir(join(folder, bucket), { recursive: true });
  const root = join(await realpath(folder), bucket);
  const scratchPath = () => join(scratch, randomUUID());
  const keyOf = (path: string) => relative(root, path).split(sep).join('/');

  /** Moves a file to the path of a key, making folders as needed. */
  async function place(file: string, key: string): Promise<Stored> {
    const path = pathOf(root, key);
    for (let attempt = 1; ; attempt++) {
      try {
        await mkdir(dirname(path), { recursive: true });
        if ((await straightPathOf(root, key)) === null) continue;
        await rename(file, path);
        files.forget(path);
        break;
      } catch (error) {
        if (code(error) === 'ENOENT' && attempt < MAX_ATTEMPTS) continue;
        throw inTheWay.has(code(error)) ? new KeyRefused(key, 'lies under an object or over a folder', error) : error;
      }
    }
    await syncFolder(dirname(path));
    return stored(await lstat(path));
  }

  /** Nothing is missing from a disk that is not there: it may not be mounted. */
  async function missing(): Promise<null> {
    await lstat(root).catch((error: unknown) => {
      throw code(error) === 'ENOENT' ? storeAway(error) : error;
    });
    return null;
  }

  async function find(key: string): Promise<{ path: string; found: Stored } | null> {
    const path = await straightPathOf(root, key);
    const found = path ? await lstat(path).catch(ignoring('ENOENT', 'ENOTDIR')) : null;
    return path && found?.isFile() ? { path, found: stored(found) } : missing();
  }

  async function findOrThrow(key: string) {
    const object = await find(key);
    if (!object) throw new ObjectMissing(key);
    return object;
  }

  const files = keptFiles(async (path) => {
    const straight = await straightPathOf(root, keyOf(path));
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
    return straight === null ? null : open(straight, flags).catch(ignoring('ENOENT', 'ENOTDIR', 'ELOOP'));
  });

  const store: ObjectStore = {
    async put(key, bytes) {
      segmentsOf(key);
      const file = scratchPath();
      try {
        if (bytes instanceof Uint8Array) await writeFile(file, bytes, { flag: 'wx', flush: true });
        else await pipeline(bytes, createWriteStream(file, { flags: 'wx', flush: true }));
        return await place(file, key);
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
    },
    async putFile(key, file) {
      const local = scratchPath();
      await rename(file, local).catch(async (error: unknown) => {
        if (code(error) !== 'EXDEV') throw error;
        await copyFile(file, local);
        await unlink(file);
      });
      await syncFile(local);
      return place(local, key);
    },
    async open(key) {
      const file = await files.open(pathOf(root, key));
      if (!file) return missing();
      return {
        ...stored(file.found),
        read: async (range) => file.stream(range),
        async readAtOnce(range) {
          try {
            return await readAtOnce(file, range);
          } finally {
            await file.close();
          }
        },
        close: file.close,
      };
    },
    async fetch(key, file) {
      const { path } = await findOrThrow(key);
      await mkdir(dirname(file), { recursive: true });
      await rm(file, { force: true });
      await link(path, file).catch(() => copyFile(path, file)); // a hard link costs nothing
    },
    stat: async (key) => (await find(key))?.found ?? null,
    async copy(from, to) {
      segmentsOf(to);
      const { path } = await findOrThrow(from);
      const file = scratchPath();
      try {
        // An object is replaced, never written to: a second name for its bytes is a copy that costs nothing.
        await link(path, file).catch(async () => {
          await copyFile(path, file, constants.COPYFILE_FICLONE);
          await syncFile(file);
        });
        await place(file, to);
      } finally {
        await rm(file, { force: true }); // renaming does nothing where both are names for the same bytes
      }
    },
    async move(from, to) {
      const { path } = await findOrThrow(from);
      if (from === to) return;
      await place(path, to);
      files.forget(path);
      await prune(dirname(path));
    },
    async remove(key) {
      const object = await find(key);
      if (!object) return;
      await unlink(object.path).catch(ignoring('ENOENT'));
      files.forget(object.path);
      await prune(dirname(object.path));
    },
    async removeAll(keys) {
      for (const key of keys) await store.remove(key);
    },
    async *list(prefix) {
      const slash = prefix.lastIndexOf('/');
      const start = slash > 0 ? pathOf(root, prefix.slice(0, slash)) : root;
      for await (const object of walk(start)) if (object.key.startsWith(prefix)) yield object;
    },
    presign: async (key, seconds) => presign(key, seconds),
    async check() {
      await missing();
      await access(root, constants.W_OK);
      const file = scratchPath();
      try {
        await writeFile(file, Buffer.alloc(PROBE_BYTES), { flag: 'wx', flush: true });
      } finally {
        await rm(file, { force: true });
      }
    },
  };

  async function* walk(folderPath: string): AsyncGenerator<Listed> {
    const entries = await opendir(folderPath).catch(ignoring('ENOENT', 'ENOTDIR'));
    if (!entries) return;
    for await (const entry of entries) {
      const path = join(folderPath, entry.name);
      if (entry.isDirectory()) yield* walk(path);
      const found = entry.isFile() && (await lstat(path).catch(ignoring('ENOENT')));
      if (found) yield { key: keyOf(path), ...stored(found) };
    }
  }

  /** Removes folders that have become empty. */
  async function prune(folderPath: string) {
    for (let path = folderPath; path.startsWith(root + sep); path = dirname(path)) {
      if (path === join(root, 'uploads')) return; // the upload server expects this folder
      const removed = await rmdir(path).then(
        () => true,
        () => false,
      );
      if (!removed) return;
    }
  }

  return guarded(store);
}

/** The error codes for a file in the place of a folder, or the other way round. */
const inTheWay = new Set(['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST']);

const stored = ({
  size,
  mtime,
  mtimeMs,
  ino,
}: {
  size: number;
  mtime: Date;
  mtimeMs: number;
  ino: number;
}): Stored => ({
  size,
  etag: `${ino.toString(36)}-${size.toString(36)}-${Math.round(mtimeMs * 1000).toString(36)}`,
  modifiedAt: mtime,
});

async function syncFile(path: string) {
  await using handle = await open(path, 'r+');
  await handle.sync();
}

async function syncFolder(path: string) {
  await using handle = await open(path, 'r').catch(ignoring('ENOENT'));
  await handle?.sync();
}

async function readAtOnce(file: FileInUse, { start, end }: { start: number; end: number }): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(end - start + 1); // memory of its own, which can be freed
  for (let filled = 0; filled < bytes.length;) {
    const count = await file.read(bytes, filled, start + filled);
    if (count === 0) throw new ObjectMissing('a file that was cut off');
    filled += count;
  }
  return bytes;
}
