import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { notFoundBy, reasonsOf } from './errors.ts';

/** The table of docs/errors.md: what each refusal is, and when. */
const table = [
  ...readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8').matchAll(
    /^\| `(\w+)` +\| (\w+) +\| \d+ +\| (.+?) +\|$/gm,
  ),
].map(([, reason = '', kind = '', when = '']) => ({ pair: `${kind} ${reason}`, when }));

/** The refusals of the gateway have another form there: a kind, and its reasons. */
const ofTheGateway = [
  ...readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8').matchAll(/^\| (\w+), (`.+?`) +\|/gm),
].flatMap(([, kind = '', reasons = '']) => [...reasons.matchAll(/\w+/g)].map(([reason]) => `${kind} ${reason}`));

const documented = (field: string) =>
  Object.entries(reasonsOf[field] ?? {}).flatMap(([kind, reasons]) => reasons.map((reason) => `${kind} ${reason}`));
const whenever = (when: RegExp) => table.filter((row) => when.test(row.when)).map(({ pair }) => pair);

describe('the refusals that OpenAPI lists for a route', () => {
  it('have the status of docs/errors.md', () => {
    const known = new Set([...ofTheGateway, ...table.map(({ pair }) => pair)]);
    expect(
      Object.keys(reasonsOf)
        .flatMap(documented)
        .concat(Object.keys(notFoundBy).map((reason) => `NOT_FOUND ${reason}`))
        .filter((pair) => !known.has(pair)),
    ).toEqual([]);
  });

  it.each([
    ['login', /^(the )?sign-in\b/],
    ['refresh', /^(a )?refresh\b|refresh token is|another refresh|token was used before/],
  ])('are all of a %s', (field, when) => {
    expect(documented(field)).toEqual(expect.arrayContaining(whenever(when)));
  });

  it('name a missing person, and a missing place in a workspace, as the route does', () => {
    const ofPeople = ['setMemberRole', 'setMemberStatus', 'removeMember', 'reinviteUser', 'addWorkspaceMember'];
    for (const field of ofPeople)
      expect([field, documented(field)]).toEqual([field, expect.arrayContaining(['NOT_FOUND USER_NOT_FOUND'])]);
    const ofPlaces = Object.keys(reasonsOf).filter((field) => documented(field).includes('NOT_FOUND MEMBER_NOT_FOUND'));
    expect(ofPlaces).toEqual(['setWorkspaceMemberRole', 'removeWorkspaceMember']);
  });
});
