import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { httpStatusOf } from '@foyer/shared/errors';
import { describe, expect, it } from 'vitest';

import { languages } from '@foyer/shared/http/language';
import { wordsIn } from './words.ts';

const sources = join(import.meta.dirname, '../../../subgraphs');

/** The sources of the refusals that the pages can meet. */
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

/** Refusals of these sources that no page can meet: pages refresh nothing, and need no permission. */
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

/** Refusals of any operation, and those named like their kind. */
const anywhere = [
  'VALIDATION_FAILED',
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'REVOCATION_UNKNOWN',
  'SUBGRAPH_UNAVAILABLE',
  'SUBGRAPH_TIMEOUT',
  'DATABASE_BUSY',
];

/** All names in capitals that are not kinds. */
const reasonsIn = (text: string) =>
  [...text.matchAll(/'([A-Z][A-Z_]{3,})'/g)].map(([, name = '']) => name).filter((name) => !(name in httpStatusOf));

const met = new Set([
  ...anywhere,
  ...files.flatMap((file) => reasonsIn(readFileSync(join(sources, file), 'utf8'))),
]).difference(neverHere);

describe('a refusal on the login pages', () => {
  it('is found in the code', () => {
    for (const reason of ['INVALID_CREDENTIALS', 'ACCOUNT_INVITED', 'ORG_DISABLED', 'IDENTITY_PROVIDER_DOWN', 'BUSY'])
      expect(met).toContain(reason);
    expect(met).toContain('USERNAME_TAKEN');
  });

  it.each(languages)('has a text in %s', (language) => {
    const said: Readonly<Record<string, string>> = wordsIn(language).refusals;
    expect([...met].filter((reason) => !said[reason]?.trim())).toEqual([]);
  });

  it('has three different texts', () => {
    const [bm, cn, en] = (['bm', 'cn', 'en'] as const).map((language) => Object.entries(wordsIn(language).refusals));
    for (const other of [bm, cn])
      for (const [reason, words] of other ?? []) expect(en).not.toContainEqual([reason, words]);
  });
});
