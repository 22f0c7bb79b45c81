import { Writable } from 'node:stream';
import { callbackify } from 'node:util';

import { freeBuffer } from '../../storage/free-buffer.ts';

/** How many bytes may wait in memory while others are written; they are then written at once. */
const MOST_WAITING = 2 ** 18;

/** After how many bytes the disk is told to keep what it has got, so that little is left to do at the end. */
const SYNC_BYTES = 32 * 2 ** 20;

/** What it needs of a file handle of Node. */
interface File {
  writev(pieces: readonly Buffer[], position: number): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
}

type Done = (error?: Error | null) => void;

/**
 * Writes bytes to an open file, from a position on. It owns the memory of what it gets, and frees it after the write: left to
 * the garbage collector, a gigabyte in pieces of 64 KiB causes a hundred collections of the whole heap.
 */
export class FileWriter extends Writable {
  readonly #file: File;
  readonly #start: number;
  bytesWritten = 0;
  #synced = 0;
  #syncing: Promise<void> | undefined;
  #failure: unknown;

  constructor(file: File, start: number) {
    super({ highWaterMark: MOST_WAITING });
    this.#file = file;
    this.#start = start;
  }

  override _write(piece: Buffer, _encoding: string, done: Done): void {
    callbackify(() => this.#append([piece]))(done);
  }

  override _writev(pieces: { chunk: Buffer }[], done: Done): void {
    callbackify(() => this.#append(pieces.map(({ chunk }) => chunk)))(done);
  }

  async #append(pieces: readonly Buffer[]): Promise<void> {
    for (let rest = after(pieces, 0); rest.length > 0;) {
      const { bytesWritten } = await this.#file.writev(rest, this.#start + this.bytesWritten);
      if (bytesWritten === 0) throw new Error('no byte of an upload was written');
      this.bytesWritten += bytesWritten;
      rest = after(rest, bytesWritten);
    }
    for (const piece of pieces) freeBuffer(piece);
    this.#syncNowAndThen();
  }

  override _final(done: Done): void {
    callbackify(() => this.#finish())(done);
  }

  async #finish(): Promise<void> {
    await this.#syncing;
    this.#throwFailure();
  }

  /** Syncs while further bytes arrive. The disk reports a failure once only, so that it must not be lost. */
  #syncNowAndThen(): void {
    this.#throwFailure();
    if (this.#syncing || this.bytesWritten - this.#synced < SYNC_BYTES) return;
    this.#synced = this.bytesWritten;
    this.#syncing = this.#file
      .datasync()
      .catch((error: unknown) => (this.#failure = error))
      .then(() => (this.#syncing = undefined));
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure;
  }
}

/** Returns the pieces that are left after the first bytes were written; none of them is empty. */
function after(pieces: readonly Buffer[], bytes: number): Buffer[] {
  let written = bytes;
  return pieces.flatMap((piece) => {
    const left = piece.subarray(Math.min(written, piece.length));
    written -= piece.length - left.length;
    return left.length > 0 ? [left] : [];
  });
}
