import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { httpStatusOf } from '@foyer/shared/errors';
import { describe, expect, it } from 'vitest';

import { languages } from './language.ts';
import { wordsIn } from './words.ts';

const sources = join(import.meta.dirname, '../../../subgraphs');

/** Where the refusals of what the pages ask for stand. */
const files = [
  'sessions/refusals.ts',
  'passwords/refusals.ts',
  'magic-links/refusals.ts',
  'self-signup/refusals.ts',
  'license/refusals.ts',
  'limits/refusals.ts',
  'tenancy/refusals.ts',
  'adapters/identity-provider/refusals.ts',
].map((file) => `identity/src/${file}`);

/** What of it no page can meet: they refresh nothing, and what needs a permission is elsewhere. */
const neverHere = new Set([
  'APPLICATION_CLOSED',
  'APPLICATION_NOT_FOUND',
  'CLIENT_TYPE_REQUIRED',
  'PASSWORD_CHANGE_REQUIRED',
  'ORGANIZATION_NOT_FOUND',
  'ORGANIZATION_NOT_READY',
  'ORGANIZATION_IN_USE',
  'USER_NOT_FOUND',
  'NAME_AMBIGUOUS',
]);

/** What any operation may be refused with; and what is called like its kind. */
const anywhere = [
  'VALIDATION_FAILED',
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'REVOCATION_UNKNOWN',
  'SUBGRAPH_UNAVAILABLE',
  'SUBGRAPH_TIMEOUT',
  'DATABASE_BUSY',
];

/** All that is written in capitals and is no kind. */
const reasonsIn = (text: string) =>
  [...text.matchAll(/'([A-Z][A-Z_]{3,})'/g)].map(([, name = '']) => name).filter((name) => !(name in httpStatusOf));

const met = new Set([
  ...anywhere,
  ...files.flatMap((file) => reasonsIn(readFileSync(join(sources, file), 'utf8'))),
]).difference(neverHere);

describe('what a person at the login pages can be refused with', () => {
  it('is found in the code', () => {
    for (const reason of ['INVALID_CREDENTIALS', 'ACCOUNT_INVITED', 'ORG_DISABLED', 'IDENTITY_PROVIDER_DOWN', 'BUSY'])
      expect(met).toContain(reason);
    expect(met).toContain('USERNAME_TAKEN');
  });

  it.each(languages)('is said in %s', (language) => {
    const said: Readonly<Record<string, string>> = wordsIn(language).refusals;
    expect([...met].filter((reason) => !said[reason]?.trim())).toEqual([]);
  });

  it('is said in three languages, not in one three times', () => {
    const [bm, cn, en] = (['bm', 'cn', 'en'] as const).map((language) => Object.entries(wordsIn(language).refusals));
    for (const other of [bm, cn])
      for (const [reason, words] of other ?? []) expect(en).not.toContainEqual([reason, words]);
  });
});
