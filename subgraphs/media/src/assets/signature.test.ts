import { describe, expect, it } from 'vitest';

import { isSigned, signedUrl } from './signature.ts';

const now = new Date('2030-01-01T00:00:00Z');
const secret = 'secret';

describe('a presigned link', () => {
  const url = signedUrl('https://foyer.test', 'acme/a b.mp4', { seconds: 60, now, secret });
  const query = Object.fromEntries(url.searchParams);

  it('names the key, and is valid until it expires', () => {
    expect(url.pathname).toBe('/assets/acme/a%20b.mp4');
    expect(isSigned('acme/a b.mp4', query, { now, secrets: [secret] })).toBe(true);
    expect(isSigned('acme/a b.mp4', query, { now: new Date(now.getTime() + 61_000), secrets: [secret] })).toBe(false);
  });

  it('stays valid while the key changes', () => {
    expect(isSigned('acme/a b.mp4', query, { now, secrets: ['new', secret] })).toBe(true);
    expect(isSigned('acme/a b.mp4', query, { now, secrets: ['new'] })).toBe(false);
  });

  it('is valid for nothing else', () => {
    expect(isSigned('acme/other.mp4', query, { now, secrets: [secret] })).toBe(false);
    expect(isSigned('acme/a b.mp4', { ...query, expires: '9999999999' }, { now, secrets: [secret] })).toBe(false);
    expect(isSigned('acme/a b.mp4', { expires: '9999999999' }, { now, secrets: [secret] })).toBe(false);
  });
});
