import type { Staff } from '@foyer/shared/auth/viewer';
import { expect, it } from 'vitest';

import { openExportLinks } from './export-links.ts';

it('a link to an export is valid for five minutes', async () => {
  let now = new Date('2026-12-01T10:00:00Z');
  const links = openExportLinks({ secret: 's', publicUrl: 'https://foyer.test', clock: { now: () => now } });
  const viewer = { kind: 'staff', userId: 'siti' } as Staff;
  const { url, expiresAt } = await links.seal({ viewer, filter: { query: 'x' }, scopeDigest: 'all' });
  const seal = new URL(url).searchParams.get('seal') ?? '';

  expect(expiresAt).toEqual(new Date('2026-12-01T10:05:00Z'));
  now = new Date(expiresAt.getTime() - 1_000);
  expect(await links.open(seal)).toEqual({ viewer, filter: { query: 'x' }, scopeDigest: 'all' });
  now = expiresAt;
  await expect(links.open(seal)).rejects.toMatchObject({ reason: 'EXPORT_NOT_FOUND' });
});
