import type { Media as MediaRow, Prisma, Rendition } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { Services } from '../context.ts';
import type { MediaWarning } from './warnings.ts';

export type Needs = Omit<Services, 'permissions' | 'uploadRules' | 'links' | 'events'>;

export type MediaInWork = MediaRow & { renditions: Rendition[] };

/** What a step works with. */
export interface Task {
  media: MediaInWork;
  /** A folder of this attempt alone: an earlier attempt that still runs can't touch its files. */
  folder: string;
  /** Aborts when the attempt is over, or another attempt has taken its place. */
  signal: AbortSignal;
  /** Reports the progress of the step, 0 to 1. */
  report(fraction: number): void;
  /** Adds a warning to the media item when the step ends; one of each code. */
  warn(warning: MediaWarning): void;
  /** The column `warnings` with those of this attempt, for steps that write before they end. */
  warnings(): Prisma.InputJsonValue;
  /** Whether no further attempt follows. */
  last: boolean;
  /**
   * Writes to the row at once, while this attempt holds the claim.
   *
   * @param also what to write in the same transaction
   * @throws {Superseded}
   */
  write(data: Prisma.MediaUncheckedUpdateManyInput, also?: (tx: MediaTransaction) => Promise<void>): Promise<void>;
  /** Checks in a transaction that this attempt holds the claim, and locks the row. @throws {Superseded} */
  hold(tx: MediaTransaction): Promise<void>;
  /**
   * Claims keys for the media item while this attempt holds it, and writes as `write` does in the same transaction.
   *
   * @throws {KeyTaken} when one of them belongs to another item
   * @throws {Superseded}
   */
  claim(keys: readonly string[], data?: Prisma.MediaUncheckedUpdateManyInput): Promise<void>;
  /** Stores a result under a key, which is claimed first unless it is already. */
  store(key: string, content: { file: string } | { bytes: Buffer }): Promise<void>;
}

export interface Outcome {
  data?: Prisma.MediaUncheckedUpdateManyInput;
  /** Details for the checkpoint, for people who investigate. */
  facts?: Prisma.InputJsonObject;
  /** The step had nothing to do, so what it warned of before stays true. */
  keepsWarnings?: boolean;
}

/** The file can't be processed: retrying won't help. The message is shown to people. */
export class CannotProcess extends Error {
  override readonly name = 'CannotProcess';
}

/** Another attempt, a new run or a deletion has taken the media item from this attempt. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The run was cancelled: its attempt cleans up and ends. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
