import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { compose } from '../gateway/src/supergraph/compose.ts';
import { readServices } from './subgraphs.ts';

let folder: string;
let repository: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-schema-'));
  repository = join(folder, 'repository');
  mkdirSync(repository);
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string) {
  mkdirSync(dirname(join(repository, file)), { recursive: true });
  writeFileSync(join(repository, file), text);
}

const show = (fields: string) =>
  write(
    'subgraphs/ticketing/src/shows/schema.graphql',
    `enum Shade { LIGHT DARK ${fields.includes('shade: Shade!') ? 'GREY' : ''} }
     type Show { ${fields} }
     extend type Query { show(id: ID!): Show @access(to: EVERYONE) }`,
  );

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Siti', '-c', 'user.email=siti@example.test', ...args], {
    cwd: repository,
    stdio: 'pipe',
  });

/** A repository with one slice in each subgraph, whose public schema is committed. */
async function aRepository(fields: string) {
  for (const name of ['identity', 'media']) {
    write(`subgraphs/${name}/src/things/schema.graphql`, `extend type Query { ${name}: Int @access(to: EVERYONE) }`);
  }
  show(fields);
  write('gateway/schema.graphql', compose(await readServices(repository)).publicSdl);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
}

function check(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'schema-check.ts'), ...args],
    { cwd: repository, encoding: 'utf8', env: { ...process.env, GIT_CEILING_DIRECTORIES: folder } },
  );
  expect(stderr).toBe('');
  return { status, said: stdout };
}

describe('the check of the public schema', () => {
  it('fails for breaking changes, and names them', async () => {
    await aRepository('id: ID! title: String!');
    show('id: ID! name: String!');

    const { status, said } = check();

    expect(status).toBe(1);
    expect(said).toContain("Field 'title' was removed from object type 'Show'");
    expect(said).toMatch(/1 breaking, 0 dangerous, \d+ safe/);
  });

  it('passes for additions, and names those that may surprise clients', async () => {
    await aRepository('id: ID! shade: Shade');
    show('id: ID! shade: Shade! title: String');

    const { status, said } = check();

    expect(status).toBe(0);
    expect(said).toContain("Enum value 'GREY' was added to enum 'Shade'");
    expect(said).toContain("Field 'title' was added to object type 'Show'");
    expect(said).toContain('0 breaking, 1 dangerous');
  });

  it('fails when the subgraphs do not fit together', async () => {
    await aRepository('id: ID!');
    show('id: ID! shade: Weather');

    expect(check()).toEqual({ status: 1, said: expect.stringContaining('do not compose') });
  });

  it('compares with another commit on request', async () => {
    await aRepository('id: ID! title: String');
    show('id: ID!');
    write('gateway/schema.graphql', compose(await readServices(repository)).publicSdl);
    git('commit', '--quiet', '--all', '--message', 'second');

    expect(check().status).toBe(0);
    expect(check('--ref', 'HEAD~1').status).toBe(1);
  });

  it('works in a shallow clone, and reports a missing commit', async () => {
    await aRepository('id: ID! title: String');
    git('commit', '--quiet', '--allow-empty', '--message', 'second');
    const clone = join(folder, 'clone');
    git('clone', '--quiet', '--depth', '1', `file://${repository}`, clone);
    repository = clone;

    expect(check().status).toBe(0);
    expect(check('--ref', 'HEAD~1')).toEqual({ status: 2, said: expect.stringContaining('shallow') });
  });

  it('reports a missing git', async () => {
    await aRepository('id: ID!');
    rmSync(join(repository, '.git'), { recursive: true });

    expect(check()).toEqual({ status: 2, said: expect.stringContaining('no git repository') });
  });
});
