import { createHmac, timingSafeEqual } from 'node:crypto';

/** The keys of signed links: the first one signs, the others are still accepted. */
export type LinkSecrets = readonly [string, ...string[]];

/** What a link token permits: reading the files of one media item for a limited time. */
export interface LinkPermit {
  mediaId: number;
  /** Whole seconds since 1970. */
  expires: number;
}

const form = /^~(\d{1,10})\.(\d{1,11})\.([\w-]{43})$/;

const macOf = ({ mediaId, expires }: LinkPermit, secret: string) =>
  createHmac('sha256', secret).update(`media\n${mediaId}\n${expires}`).digest();

/** Returns the segment that stands before the key in a signed link; playlists hand it on to all that they name. */
export const linkToken = (permit: LinkPermit, secret: string): string =>
  `~${permit.mediaId}.${permit.expires}.${macOf(permit, secret).toString('base64url')}`;

/** Returns whether a segment has the form of a link token, valid or not. */
export const isLinkToken = (segment: string): boolean => form.test(segment);

/** Returns what a link token permits; null when we did not sign it, or when it has expired. */
export function readLinkToken(
  segment: string,
  { now, secrets }: { now: Date; secrets: LinkSecrets },
): LinkPermit | null {
  const [, id, until, mac = ''] = form.exec(segment) ?? [];
  const permit = { mediaId: Number(id), expires: Number(until) };
  const given = Buffer.from(mac, 'base64url');
  const isOurs = secrets.some((secret) => {
    const expected = macOf(permit, secret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isOurs && permit.expires * 1000 > now.getTime() ? permit : null;
}
