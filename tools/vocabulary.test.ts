import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/**
 * Words that Foyer's code used to say, and the field's words for them. Each is wrong wherever it stands, alone or as a
 * part of an identifier, except for the uses below.
 */
const retired: Record<string, string> = {
  announce: 'publish, notify',
  announced: 'published, notified',
  announcement: 'event',
  announcements: 'events',
  announces: 'publishes, notifies',
  desk: 'context, settlement, checkout',
  door: 'API',
  doorkeeper: 'guard',
  doors: 'APIs',
  ears: 'subscriptions',
  errand: 'job',
  errands: 'jobs',
  guid: 'uuid',
  house: 'server, Services, Foyer',
  introduce: 'sign the context',
  introduced: 'signed context',
  introduces: 'signs the context',
  introduction: 'signed context',
  introductions: 'signed contexts',
  keeper: 'supervisor, guard',
  knock: 'call',
  knocks: 'calls',
  mood: 'mode',
  moods: 'modes',
  newsroom: 'fixture',
  patience: 'timeout, max wait',
  stories: 'tests',
  story: 'test',
  world: 'embedded services',
  worlds: 'embedded services',
};

/** Riddles, and words that are wrong only together. */
const phrases: readonly [pattern: RegExp, say: string][] = [
  [/\bsign(?:In|Out)|\bSignIn|\bSignOut/, 'login, logout'],
  [/\bwho(?:ever)? ask(?:s|ed)\b/i, 'the caller, the viewer'],
  [/\bwhat (?:is|was) asked\b/i, 'the request'],
  [/\bNotices\b|\bnotices[.(]/, 'events'],
  [/\blet go\b/i, 'released, closed'],
  [/\bfront door\b|\bedge keeper\b/i, 'HTTP server, supervisor'],
  [/\bis none\b.*\bwho\b|\bwho is none\b/i, 'a plain sentence'],
  [/\bstands? twice\b/i, 'is repeated'],
  [/\bis so already\b/i, 'a plain sentence'],
];

/** Uses that stay: what occurs in a line, and why. Each must still occur somewhere. */
const exceptions: readonly [text: RegExp, why: string][] = [
  [/\bannounce_\w+|\b\w+_announced\b/, 'names of functions and triggers in the database'],
  [/\boverHouse\b/, 'a key of queued jobs'],
  [/'house\.seeded'/, 'an action in the audit log'],
  [/'House'|'Front of house'|'Acme Open House'|[Ww]ater[ -][Ww]orld/, 'seeded data'],
  [/acme\.test\/stories\//, 'an address in seeded data'],
  [/sells at the door/, 'the entrance of a venue, in an example of the API'],
  [/\bintroduction\+jwt\b/, 'the `typ` of a signed context on the wire'],
  [/z\.guid\(|\bguid: 'a uuid'/, 'the name of a format of zod'],
  [/: SignIn!|\btype SignIn\b|\bon SignIn\b|"SignIn"/, 'a type of the public GraphQL schema'],
  [/\bSignInParts(?:Fragment)?\b/, 'a fragment of the published operations'],
];

const files = globSync(
  [
    '**/*.{ts,tsx,js,mjs,graphql,prisma,sql,eta,css,sh,yml,yaml}',
    '.github/**/*.yml',
    '.env.example',
    'Dockerfile',
    '{README,CONTRIBUTING,SECURITY}.md',
    'docs/**/*.md',
    '{.,apps/*,gateway,prisma,rest-compat,server,subgraphs/*}/package.json',
  ],
  {
    cwd: root,
    exclude: [
      '**/{node_modules,generated,dist}',
      '.data',
      'docs/spec', // written by others
      'prisma/migrations', // applied: they can't be changed
      'pnpm-lock.yaml',
      'gateway/{schema,supergraph}.graphql', // written from the schemas of the subgraphs
      'tools/vocabulary.test.ts',
    ],
  },
).toSorted();

/** The words of a line in small letters; identifiers fall apart where a capital letter begins. */
const wordsOf = (line: string): string[] =>
  (line.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());

/** The retired words and phrases of a line, each with what to say instead. */
function findingsIn(line: string): string[] {
  const judged = exceptions.reduce((text, [exception]) => text.replaceAll(new RegExp(exception, 'g'), ' '), line);
  const words = wordsOf(judged).filter((word) => Object.hasOwn(retired, word));
  const found = phrases.flatMap(([pattern, say]) => {
    const [text] = pattern.exec(judged) ?? [];
    return text === undefined ? [] : [`"${text}", say: ${say}`];
  });
  return [...words.map((word) => `"${word}", say: ${retired[word]}`), ...found];
}

const lines = files.flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ at: `${file}:${index + 1}`, text })),
);

describe('the words of the code', () => {
  it('are those of the field, none of the retired ones', () => {
    // One fast look first: few of the lines hold anything like a retired word.
    const suspect = new RegExp([...Object.keys(retired), ...phrases.map(([pattern]) => pattern.source)].join('|'), 'i');
    const suspects = lines.filter(({ text }) => suspect.test(text));
    expect(suspects.flatMap(({ at, text }) => findingsIn(text).map((finding) => `${at} ${finding}`))).toEqual([]);
  });

  it.each(exceptions)('have no exception without a use: %s', (exception) => {
    expect(lines.some(({ text }) => exception.test(text))).toBe(true);
  });

  it.each([
    ['const houseKeeping = true;', ['"house", say: server, Services, Foyer']],
    ['await listeners.announce(orders);', ['"announce", say: publish, notify']],
    ['const PATIENCE_MS = 5;', ['"patience", say: timeout, max wait']],
    ['async function signInCustomer() {', ['"signIn", say: login, logout']],
    ["it('knows who asks', () => {", ['"who asks", say: the caller, the viewer']],
    ["action: 'house.seeded',", []],
    ['login(input: LoginInput!): SignIn!', []],
  ])('are judged in %s', (line, findings) => expect(findingsIn(line)).toEqual(findings));
});
