import type { Readable } from 'node:stream';

/** The store of the library's bytes. A key is a path of segments joined by `/`, without the bucket's name. */
export interface ObjectStore {
  /** Writes an object, whole or not at all; replaces an object of the same key. */
  put(key: string, bytes: Readable | Uint8Array): Promise<Stored>;

  /** Moves a local file into the store, whole or not at all. The file is gone afterwards. */
  putFile(key: string, file: string): Promise<Stored>;

  /**
   * Opens an object as it is at this moment: bytes of a later replacement are not read.
   *
   * @returns null when there is none; otherwise the caller must read or close it, once
   */
  open(key: string): Promise<OpenObject | null>;

  /** Fetches an object to a local path, for reading only: writing to the file might change the object. */
  fetch(key: string, file: string): Promise<void>;

  /** Returns size, ETag and time of an object; null when there is none. */
  stat(key: string): Promise<Stored | null>;

  /** Copies within the store; no bytes pass through this process. @throws {ObjectMissing} */
  copy(from: string, to: string): Promise<void>;

  /** Moves within the store; replaces an object under `to`. @throws {ObjectMissing} */
  move(from: string, to: string): Promise<void>;

  /** Removes an object. Idempotent. */
  remove(key: string): Promise<void>;

  /**
   * Removes objects. Idempotent. There is no way to remove everything under a prefix: a folder may contain objects of
   * other items.
   */
  removeAll(keys: readonly string[]): Promise<void>;

  /** Streams all objects whose key begins with `prefix`. */
  list(prefix: string): AsyncIterable<Listed>;

  /** Returns a URL under which anyone may read the object for `seconds`. */
  presign(key: string, seconds: number): Promise<URL>;

  /**
   * Resolves when the store answers and can be written; the outcome may be some seconds old.
   *
   * @throws {Refusal} `STORE_AWAY`, `STORE_FULL`, `STORE_READ_ONLY`; so do all other methods
   */
  check(): Promise<void>;
}

export interface OpenObject extends Stored {
  /**
   * Reads the bytes, or a part of them.
   *
   * @param range offsets in bytes, both inclusive
   * @throws {ObjectChanged} when the object was replaced meanwhile, in a store that keeps only its present bytes
   */
  read(range?: { start: number; end: number }): Promise<Readable>;
  /** Reads a small part at once, where the bytes lie on a disk. @throws {ObjectMissing} when there are fewer */
  readAtOnce?(range: { start: number; end: number }): Promise<Buffer>;
  /** Closes an object that is not read after all. */
  close(): Promise<void>;
}

export interface Stored {
  /** In bytes. */
  size: number;
  /** Changes with the content; without quotes. */
  etag: string;
  modifiedAt: Date;
}

export interface Listed extends Stored {
  key: string;
}

/** There is no object under that key. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
  constructor(key: string, cause?: unknown) {
    super(`there is no object ${JSON.stringify(key)}`, { cause });
  }
}

/** The object that was opened has been replaced: open it again. */
export class ObjectChanged extends Error {
  override readonly name = 'ObjectChanged';
  constructor(key: string, cause?: unknown) {
    super(`the object ${JSON.stringify(key)} was replaced while it was open`, { cause });
  }
}

/** The key can't be used: its form is invalid, or an object or folder is in its way. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
  constructor(key: string, why: string, cause?: unknown) {
    super(`the key ${JSON.stringify(key)} ${why}`, { cause });
  }
}

/** For a `catch`: returns `answer` for a key that can't be used, and throws any other error. */
export const refusedIs =
  <Answer>(answer: Answer) =>
  (error: unknown): Answer => {
    if (error instanceof KeyRefused) return answer;
    throw error;
  };
