import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { badInput } from './errors.ts';

declare const id: unique symbol;
declare const given: unique symbol;
declare const serial: unique symbol;
declare const row: unique symbol;

/**
 * The text of an id in its one spelling; a UUID (RFC 9562, of any version, for the platform's fixed id has none) is in
 * small letters, 8-4-4-4-12. Ids are compared as text, so what came from outside is an `Id` only after one of the
 * parsers below has read it, and what the database holds as a UUID is one. Whether it is the id of anything is open.
 */
export type Id = string & { readonly [id]: true } & GivenId;

/**
 * The organization or workspace that the caller has named: text, which this type keeps from being used as an id. No row
 * takes it. A permit holds the id to work with, once the permission there was proven; every `Id` can be named.
 */
export interface GivenId {
  readonly [given]: true;
}

/**
 * The id that somebody has named, unproven: for the functions that prove it, and for what asks no permission because it
 * shows only what the viewer may see. `permits.test.ts` lists them all.
 */
export const unproven = <Given extends GivenId | null | undefined>(id: Given) =>
  id as unknown as Id | Exclude<Given, GivenId>;

/** The number of a record, from 1 to 2^63 - 1. */
export type SerialId = bigint & { readonly [serial]: true };

/** The number of a row of media, from 1 to 2^31 - 1; 0 is the id of nothing. */
export type RowId = number & { readonly [row]: true };

const HYPHENATED = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** A UUID, a number, or the name of a seeded role or of an app. */
const ANY_ID = /^[\w-]{1,100}$/;

/**
 * PostgreSQL takes a UUID also with its hyphens elsewhere or nowhere (and in braces, which no id has): it would find the
 * row, and no comparison of ours would.
 */
const isMisspelled = (text: string) => /^[\da-f]{32}$/i.test(text.replaceAll('-', ''));

/**
 * Reads an id as a client wrote it: a UUID in small letters, whatever the case it came in, a number without zeros before
 * it, a name as it is.
 *
 * @param path where it stood, for the refusal
 * @throws {Refusal} `VALIDATION_FAILED` for what can be no id: also for a UUID in braces, as a URN (RFC 9562, section 4)
 *   or without its hyphens
 */
export function readId(text: string, path = 'id'): Id {
  const lower = text.toLowerCase();
  if (HYPHENATED.test(lower)) return lower as Id;
  if (!ANY_ID.test(text) || isMisspelled(text)) throw badInput([{ path, message: 'must be written as an id is' }]);
  return text.replace(/^0+(?=\d+$)/, '') as Id;
}

/** Whether a text is a UUID in its canonical spelling; any other text is no id that the database could find. */
export const isUuid = (text: string): text is Id => HYPHENATED.test(text);

/** A UUID in its one spelling, from a text in any case; null for what is none. */
export function uuidOf(text: string | null | undefined): Id | null {
  const lower = text?.toLowerCase() ?? '';
  return isUuid(lower) ? lower : null;
}

/** A new UUID, of version 4. */
export const newId = (): Id => randomUUID() as string as Id;

/** A UUID on its way in, for what zod reads: tokens, headers, paths, jobs, settings. */
export const uuidText = (message?: string) => z.guid(message).transform((text) => text.toLowerCase() as Id);

const LARGEST_SERIAL = 2n ** 63n - 1n;

/** Reads the number of a record. @returns null for what can be no record's number */
export function serialId(text: string | number): SerialId | null {
  if (!/^\d{1,19}$/.test(String(text))) return null;
  const number = BigInt(text);
  return number > 0n && number <= LARGEST_SERIAL ? (number as SerialId) : null;
}

const LARGEST_ROW = 2 ** 31 - 1;

/** The number behind an id of GraphQL or of a path; what is none becomes 0, the id of nothing. */
export function rowId(text: string): RowId {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return (number <= LARGEST_ROW ? number : 0) as RowId;
}
