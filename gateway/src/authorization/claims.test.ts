import { expect, it } from 'vitest';

import { accessClaimsOf } from './claims.ts';

it.each([
  ['the words of the scope claim', { scope: 'read:a  write:b' }, { scopes: ['read:a', 'write:b'], policies: [] }],
  ['a list of scopes', { scope: ['read:a', 7, ''] }, { scopes: ['read:a'], policies: [] }],
  ['scp, where there is no scope', { scp: ['read:a'] }, { scopes: ['read:a'], policies: [] }],
  ['scope before scp', { scope: 'read:a', scp: 'read:b' }, { scopes: ['read:a'], policies: [] }],
  ['policies', { policies: ['vip', 'adult'] }, { scopes: [], policies: ['vip', 'adult'] }],
  ['claims of other kinds', { scope: { read: true }, policies: 1 }, { scopes: [], policies: [] }],
])('reads %s', (_what, payload, expected) => {
  expect(accessClaimsOf(payload)).toEqual({ authenticated: true, ...expected });
});
