import type { Server } from './server.ts';

/** Checks that a server does what the document says; throws when it does not. */
export type Check = (server: Server) => Promise<void> | void;

/** The verdict on one row or rule of the documents. */
export interface Row {
  verdict: 'holds' | 'deviates by decision' | 'not applicable';
  /** A note for the reader: what Foyer does instead, or why it does not apply. */
  note?: string;
  /** The name of a record in docs/decisions, without `.md`. */
  decision?: string;
  /** A test elsewhere that shows it, because it can't be seen over HTTP or needs a server of its own. */
  shownBy?: { file: string; title: string };
  check?: Check;
}

/** The rows of one section of a document, by their anchors. */
export type Rows = Record<string, Row>;

/** The row holds. */
export const holds = (check: Check, note?: string): Row => ({ verdict: 'holds', check, ...(note && { note }) });

/**
 * The row holds, as another test shows, because it can't be seen over HTTP or needs a server of its own.
 *
 * @param title the title of that test, or the beginning of it, as it stands in the file
 */
export const shownBy = (file: string, title: string, note?: string): Row => ({
  verdict: 'holds',
  shownBy: { file, title },
  ...(note && { note }),
});

/** We decided otherwise; the check, where there is one, shows what we do. */
export const deviates = (decision: string, note: string, check?: Check): Row => ({
  verdict: 'deviates by decision',
  decision,
  note,
  ...(check && { check }),
});

/** The row is about something that Foyer is not or does not have. */
export const notApplicable = (note: string): Row => ({ verdict: 'not applicable', note });

/** Something that a check needs is missing in the call: the row is reported as not run. */
export class NotRun extends Error {}
