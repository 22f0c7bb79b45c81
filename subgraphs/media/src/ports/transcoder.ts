/** Looks into media files and converts them. A file is never trusted: only containers on a list are opened. */
export interface Transcoder {
  /**
   * Describes a file.
   *
   * @param entries what to show, as ffprobe's `-show_entries` has it
   * @returns ffprobe's JSON
   * @throws {CannotRead}
   */
  probe(file: string, entries: string, options: RunOptions): Promise<unknown>;

  /**
   * Runs one conversion.
   *
   * @returns what the program said on standard error, its last 64 KiB
   * @throws {CannotRead} when the program fails
   */
  convert(conversion: Conversion, options: RunOptions): Promise<string>;
}

interface Conversion {
  input: string;
  /** Options before the input. */
  before?: readonly string[];
  /** Options after the input, the outputs included. */
  after: readonly string[];
}

export interface RunOptions {
  signal: AbortSignal;
  timeoutMs: number;
  /** Told now and then how many seconds of the output are made. */
  onSeconds?: (seconds: number) => void;
}

/** The file can't be read or converted: trying again won't help. */
export class CannotRead extends Error {
  override readonly name = 'CannotRead';
}
