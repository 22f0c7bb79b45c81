/** Probes media files and converts them. Files are not trusted: only allowed containers are opened. */
export interface Transcoder {
  /**
   * Describes a file.
   *
   * @param entries what to show, in the syntax of ffprobe's `-show_entries`
   * @returns ffprobe's JSON
   * @throws {CannotRead}
   */
  probe(file: string, entries: string, options: RunOptions): Promise<unknown>;

  /** Returns the names of the filters that the program has; builds differ. */
  filters(): Promise<ReadonlySet<string>>;

  /** Returns whether the program's muxer for HLS has an option; versions differ. */
  hasHlsOption(option: string): Promise<boolean>;

  /**
   * Runs one conversion.
   *
   * @returns the last 64 KiB of the program's standard error
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
  /** Called from time to time with the seconds of output that were made. */
  onSeconds?: (seconds: number) => void;
}

/** The file can't be read or converted: retrying won't help. */
export class CannotRead extends Error {
  override readonly name = 'CannotRead';
}
