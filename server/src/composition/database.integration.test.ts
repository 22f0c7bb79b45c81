import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { assertDatabaseAnswers } from '@foyer/shared/database-reachable';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('nothing');
});
afterAll(() => database.drop());

const changed = (parts: Partial<URL>) => Object.assign(new URL(database.url), parts).href;

it('a database that answers is accepted', async () => {
  await expect(assertDatabaseAnswers(database.url)).resolves.toBeUndefined();
});

it.each([
  ['a wrong password', () => changed({ password: 'Guess-1' }), /refuses the user "foyer" or its password$/],
  ['no password', () => changed({ password: '' }), /asks for a password$/],
  ['a wrong user', () => changed({ username: 'nobody' }), /refuses the user "nobody" or its password$/],
  ['a wrong database', () => changed({ pathname: '/elsewhere' }), /has no database "elsewhere"$/],
  ['a port where nothing listens', () => changed({ port: '1' }), /^DATABASE_URL: nothing accepts connections at 127/],
  ['an unknown host', () => changed({ hostname: 'no-such-host.invalid' }), /no-such-host\.invalid is not known$/],
  ['text that is no URL', () => 'postgresql://u:Guess-1@[', /^DATABASE_URL: must be a URL such as postgresql:/],
])('%s is named in one line without the password', async (_what, url, words) => {
  const { password } = new URL(database.url);
  const error = await assertDatabaseAnswers(url()).catch((failed: unknown) => failed as Error);

  expect(error?.name).toBe('ConfigError');
  expect(error?.message).toMatch(words);
  expect(error?.message).not.toMatch(new RegExp(`\n|Guess-1|${password}`));
});
