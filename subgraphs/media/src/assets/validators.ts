import type { Stored } from '#ports/object-store.ts';
import { readHttpDate } from './http-date.ts';

interface Conditions {
  'if-none-match'?: string | undefined;
  'if-modified-since'?: string | undefined;
}

/**
 * Whether the client has the object as it is (RFC 9110 section 13.2.2): by its ETag where the client names one, else by
 * the time at which it was last changed.
 */
export function isKnown(headers: Conditions, { etag, modifiedAt }: Stored): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    const tag = `"${etag}"`;
    return tags.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim()));
  }
  const since = readHttpDate(headers['if-modified-since']);
  return since !== null && secondOf(modifiedAt) <= since;
}

/**
 * Whether a part continues what the client has (RFC 9110 section 13.1.5): else it holds parts of another version and
 * needs the whole. A date is exact enough only if the second that it names is over.
 */
export function isContinued(condition: string | undefined, { etag, modifiedAt }: Stored, now: Date): boolean {
  if (condition === undefined || condition === `"${etag}"`) return true;
  const at = secondOf(modifiedAt);
  return readHttpDate(condition) === at && now.getTime() - at >= 1000;
}

/** In milliseconds, as `Last-Modified` states it. */
const secondOf = (moment: Date) => Math.floor(moment.getTime() / 1000) * 1000;
