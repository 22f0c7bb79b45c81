import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { badInput } from './errors.ts';

declare const id: unique symbol;
declare const given: unique symbol;
declare const serial: unique symbol;
declare const row: unique symbol;

/**
 * The text of an id in its canonical spelling; a UUID (RFC 9562, of any version, because the platform's fixed id has none)
 * is in small letters, 8-4-4-4-12. Ids are compared as text, so input becomes an `Id` only by one of the parsers below; a
 * UUID from the database is one. There need not be a record with this id.
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
 * Uses the id that a caller has named without a proof: for the functions that prove it, and for those that need no
 * permission because they show only what the viewer may see. `permits.test.ts` lists them all.
 */
export const unproven = <Given extends GivenId | null | undefined>(id: Given) =>
  id as unknown as Id | Exclude<Given, GivenId>;

/** The number of a record, from 1 to 2^63 - 1. */
export type SerialId = bigint & { readonly [serial]: true };

/** The number of a row of media, from 1 to 2^31 - 1; 0 is never used. */
export type RowId = number & { readonly [row]: true };

const HYPHENATED = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** A UUID, a number, or the name of a seeded role or of an app. */
const ANY_ID = /^[\w-]{1,100}$/;

/**
 * PostgreSQL also accepts a UUID with its hyphens elsewhere or without them (and in braces, which no id has): it would find
 * the row, and our comparisons would not.
 */
const isMisspelled = (text: string) => /^[\da-f]{32}$/i.test(text.replaceAll('-', ''));

/**
 * Reads an id as a client wrote it: a UUID in small letters, whatever the case it came in, a number without zeros before
 * it, a name as it is.
 *
 * @param path its place in the input, for the refusal
 * @throws {Refusal} `VALIDATION_FAILED` for an invalid id: also for a UUID in braces, as a URN (RFC 9562, section 4)
 *   or without its hyphens
 */
export function readId(text: string, path = 'id'): Id {
  const lower = text.toLowerCase();
  if (HYPHENATED.test(lower)) return lower as Id;
  if (!ANY_ID.test(text) || isMisspelled(text)) throw badInput([{ path, message: 'must be written as an id is' }]);
  return text.replace(/^0+(?=\d+$)/, '') as Id;
}

/** Whether a text is a UUID in its canonical spelling; the database could not look up any other text. */
export const isUuid = (text: string): text is Id => HYPHENATED.test(text);

/** Reads a UUID in any case; returns its canonical spelling, or null for any other text. */
export function uuidOf(text: string | null | undefined): Id | null {
  const lower = text?.toLowerCase() ?? '';
  return isUuid(lower) ? lower : null;
}

/** A new UUID, of version 4. */
export const newId = (): Id => randomUUID() as string as Id;

/** The zod schema of a UUID: in tokens, headers, paths, jobs, settings. */
export const uuidText = (message?: string) => z.guid(message).transform((text) => text.toLowerCase() as Id);

const LARGEST_SERIAL = 2n ** 63n - 1n;

/** Reads the number of a record. @returns null for any other text */
export function serialId(text: string | number): SerialId | null {
  if (!/^\d{1,19}$/.test(String(text))) return null;
  const number = BigInt(text);
  return number > 0n && number <= LARGEST_SERIAL ? (number as SerialId) : null;
}

const LARGEST_ROW = 2 ** 31 - 1;

/** Reads the number in an id of GraphQL or of a path; any other text becomes 0, which is never used. */
export function rowId(text: string): RowId {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return (number <= LARGEST_ROW ? number : 0) as RowId;
}

/** Returns the number in an id, for a refusal to name; undefined for any other text and beyond what a number holds exactly. */
export const numberIn = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);
