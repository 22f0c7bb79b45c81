import type { DataStore } from '@tus/server';

/** Where the bytes of an upload lie until it is complete. */
export interface UploadStore extends DataStore {
  /** How many bytes of an upload are here, and since when; null when it is unknown. */
  received(uploadId: string): Promise<{ bytes: number; lastAt: Date } | null>;
  /** Returns when the bytes would survive a crash of the machine. */
  flush(uploadId: string): Promise<void>;
  /** Removes the bytes; it is no fault when there are none. */
  discard(uploadId: string): Promise<void>;
  /** The key under which the object store finds the bytes of an upload. */
  keyOf(uploadId: string): string;
}
