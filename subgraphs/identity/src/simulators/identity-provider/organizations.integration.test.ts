import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { addOrganization } from './organizations.ts';
import type { Provider } from './provider.ts';
import { openState } from './state.ts';

let folder: string;
let provider: Provider;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-provider-'));
  const switches = { tarpit: false, lockAfter: 0, searchLagMs: 0 };
  provider = { state: await openState(folder), now: () => new Date(), switches, touched: () => undefined };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Each begins before a password of another is hashed. */
const add = ([name, username]: readonly [name: string, username: string]) =>
  addOrganization(provider, {
    name,
    admins: [
      {
        human: {
          username,
          profile: { givenName: 'Some', familyName: 'One' },
          email: { email: 'some@one.test' },
          password: { password: 'Some-secret-1' },
        },
      },
    ],
  });

it.each([
  ['one name and one administrator', ['Fresh', 'boss'], ['Fresh', 'boss']],
  ['one name', ['Fresh', 'boss'], ['FRESH', 'chief']],
  ['one administrator', ['Fresh', 'boss'], ['Fresher', 'Boss']],
] as const)(
  'of two organizations with %s at once, one is created with its administrator',
  async (_what, one, other) => {
    const outcomes = await Promise.allSettled([add(one), add(other)]);

    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(made).toHaveLength(1);
    const { organizations, users } = provider.state;
    expect(organizations.map(({ id }) => id)).toEqual([made[0]?.organizationId]);
    expect(users.map(({ id, organizationId }) => [id, organizationId])).toEqual([
      [made[0]?.createdAdmins?.[0]?.userId, made[0]?.organizationId],
    ]);
  },
);
