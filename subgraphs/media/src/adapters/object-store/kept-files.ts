import { createReadStream, read, type Stats } from 'node:fs';
import { lstat, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { callbackify } from 'node:util';

import { LRUCache } from 'lru-cache';

/** How long a file stays open, in milliseconds: until then the space of a removed one may be in use. */
const KEPT_MS = 10_000;
const MAX_KEPT = 128;

/** A stream takes parts of this size from the disk. */
const PART_BYTES = 256 * 1024;

interface File {
  handle: FileHandle;
  found: Stats;
  users: number;
  isKept: boolean;
}

/** A file that somebody reads, until it is closed. */
export interface FileInUse {
  found: Stats;
  /** A stream of the bytes between two offsets, both inclusive; it closes the file. */
  stream(range?: { start: number; end: number }): Readable;
  /** Reads into a buffer from an offset; returns how many bytes there were. */
  read(bytes: Buffer, filled: number, offset: number): Promise<number>;
  /** Idempotent. */
  close(): Promise<void>;
}

/**
 * Keeps files open for a while: players read a file in many small parts, and to open and close it costs more than to read
 * one. Each use looks at the path again, so that a file that was replaced or removed is not read any more.
 *
 * @param open opens the file at a path, after all checks; null if there is none
 */
export function keptFiles(open: (path: string) => Promise<FileHandle | null>, { keptMs = KEPT_MS } = {}) {
  const kept = new LRUCache<string, File>({
    max: MAX_KEPT,
    ttl: keptMs,
    ttlAutopurge: true,
    dispose(file) {
      file.isKept = false;
      void closeUnused(file);
    },
  });

  async function closeUnused({ users, isKept, handle }: File): Promise<void> {
    if (users === 0 && !isKept) await handle.close().catch(() => undefined); // nothing was written, so nothing is lost
  }

  function use(path: string, file: File): FileInUse {
    let isClosed = false;
    file.users += 1;
    async function close() {
      if (isClosed) return;
      isClosed = true;
      file.users -= 1;
      await closeUnused(file);
    }
    return {
      found: file.found,
      stream: ({ start, end } = { start: 0, end: Infinity }) =>
        createReadStream('', {
          fd: file.handle.fd,
          start,
          end,
          highWaterMark: PART_BYTES,
          fs: { read, close: (_fd, done = () => undefined) => callbackify(close)(done) },
        }),
      async read(bytes, filled, offset) {
        try {
          return (await file.handle.read(bytes, filled, bytes.length - filled, offset)).bytesRead;
        } catch (error) {
          kept.delete(path); // ESTALE: another machine has replaced the file on a network file system
          throw error;
        }
      },
      close,
    };
  }

  return {
    /** Opens the regular file at a path, or takes it while it is open; null if there is none. */
    async open(path: string): Promise<FileInUse | null> {
      const before = kept.get(path);
      if (before) {
        const inUse = use(path, before);
        if (isSame(before.found, await lstat(path).catch(() => null))) return inUse;
        if (kept.get(path) === before) kept.delete(path);
        await inUse.close();
      }
      const handle = await open(path);
      if (!handle) return null;
      const found = await handle.stat();
      if (!found.isFile()) return handle.close().then(() => null);
      const file: File = { handle, found, users: 0, isKept: true };
      const inUse = use(path, file);
      kept.set(path, file);
      return inUse;
    },
    /** Closes a file that is removed or replaced, as soon as nobody reads it. */
    forget: (path: string) => void kept.delete(path),
  };
}

const isSame = (one: Stats, other: Stats | null) =>
  one.ino === other?.ino && one.dev === other.dev && one.size === other.size && one.mtimeMs === other.mtimeMs;
