import type { DataStore } from '@tus/server';

/** The store of the bytes of uploads, until they are complete. */
export interface UploadStore extends DataStore {
  /** Returns how many bytes of an upload have arrived, and when the last one did; null for an unknown upload. */
  received(uploadId: string): Promise<{ bytes: number; lastAt: Date } | null>;
  /** Resolves when the bytes would survive a crash of the machine. */
  flush(uploadId: string): Promise<void>;
  /** Removes the bytes. Idempotent. */
  discard(uploadId: string): Promise<void>;
  /** Returns the key under which the object store has the bytes of an upload. */
  keyOf(uploadId: string): string;
}
