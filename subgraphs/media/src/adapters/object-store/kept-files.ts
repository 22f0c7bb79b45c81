import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

import { LRUCache } from 'lru-cache';

const MOST = 64;

/** An open file that several readers share. It is closed once nobody reads it and it is kept no longer. */
export class KeptFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
  private readers = 0;
  private isKept = false;

  constructor(handle: FileHandle, stats: Stats) {
    this.handle = handle;
    this.stats = stats;
  }

  /** Begins to read it. Returns what ends that, however often it is called. */
  take(): () => Promise<void> {
    this.readers += 1;
    let isReading = true;
    return async () => {
      if (!isReading) return;
      isReading = false;
      this.readers -= 1;
      await this.closeIfUnused();
    };
  }

  keep(): void {
    this.isKept = true;
  }

  async drop(): Promise<void> {
    this.isKept = false;
    await this.closeIfUnused();
  }

  private async closeIfUnused(): Promise<void> {
    if (this.readers === 0 && !this.isKept) await this.handle.close();
  }
}

/** The files of a store that were read a moment ago, by key. */
export interface KeptFiles {
  /** Returns the file of a key, opened just now or a moment ago; its caller takes it at once. */
  open(key: string, fromDisk: () => Promise<KeptFile | null>): Promise<KeptFile | null>;
  /** Forgets the file of a key whose object was replaced or removed. */
  forget(key: string): void;
}

/** @param keepMs how long a file stays open for its next reader */
export function keepFiles(keepMs: number): KeptFiles {
  let changes = 0;
  const files = new LRUCache<string, KeptFile>({
    max: MOST,
    ttl: keepMs,
    ttlAutopurge: true,
    dispose: (file) => void file.drop().catch(() => undefined), // a file that can't be closed is none
  });
  return {
    async open(key, fromDisk) {
      const known = files.get(key);
      if (known) return known;
      const before = changes;
      const file = await fromDisk();
      // What was replaced meanwhile may be the older one.
      if (file && before === changes) {
        file.keep();
        files.set(key, file);
      }
      return file;
    },
    forget(key) {
      changes += 1;
      files.delete(key);
    },
  };
}
