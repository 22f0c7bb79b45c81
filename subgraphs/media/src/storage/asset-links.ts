import type { MediaVisibility } from '@foyer/prisma/client';
import type { Clock } from '@foyer/shared/clock';

import { linkToken, type LinkPermit } from './link-token.ts';

/** The media item of a link. */
interface Linked {
  id: string;
  /** Undefined for a viewer who sees only what everybody sees. */
  visibility?: MediaVisibility | null;
}

/** Makes the URLs of stored files. A missing or empty key has none. */
export interface AssetLinks {
  /**
   * On this server: {asset_base_url}/assets/<bucket>/<key>. Of a private item a link token stands before the bucket: only
   * for viewers who may play it.
   */
  ofAsset(media: Linked, key: string | null | undefined): string | null;
  /** The same as a client already holds it, for another of the files that it permits. */
  ofPermit(permit: LinkPermit, key: string): string;
  /** For sharing: {cdn_host}/<key>. A private item has none. */
  ofShare(media: Linked, key: string): string | null;
  /** When the links of a private item that are made now expire; null for a public item. */
  expiryOf(media: Linked): Date | null;
}

export const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/');

interface Options {
  baseUrl: string;
  cdnHost: string;
  bucket: string;
  clock: Clock;
  /** The longest that a signed link is valid. */
  linkSeconds: number;
  secret: string;
}

export function assetLinks({ baseUrl, cdnHost, bucket, clock, linkSeconds, secret }: Options): AssetLinks {
  /** The same for a quarter of the time: a page that is loaded again finds what its browser has stored. */
  function expires(): number {
    const window = Math.floor(linkSeconds / 4);
    return Math.floor(clock.now().getTime() / 1000 / window) * window + linkSeconds;
  }
  const ofPermit = (permit: LinkPermit, key: string) =>
    `${baseUrl}/assets/${linkToken(permit, secret)}/${bucket}/${encodeKey(key)}`;

  return {
    ofAsset(media, key) {
      if (!key) return null;
      if (isPrivate(media)) return ofPermit({ mediaId: Number(media.id), expires: expires() }, key);
      return `${baseUrl}/assets/${bucket}/${encodeKey(key)}`;
    },
    ofPermit,
    ofShare: (media, key) => (key === '' || isPrivate(media) ? null : `${cdnHost}/${encodeKey(key)}`),
    expiryOf: (media) => (isPrivate(media) ? new Date(expires() * 1000) : null),
  };
}

const isPrivate = ({ visibility }: Linked) => visibility === 'PRIVATE';
