import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const everything = ['subgraphs/', 'gateway/', 'server/', 'prisma/', 'rest-compat/', 'tools/', 'test/'];
/** What runs or reads the whole product. */
const whole = ['tools/', 'test/'];

/** The tests that code of each folder can affect; those of any other folder, and of the root, can affect everything. */
const byFolder: Record<string, string[]> = {
  'subgraphs/identity': ['subgraphs/identity/', 'gateway/', 'rest-compat/', 'server/', ...whole],
  'subgraphs/ticketing': ['subgraphs/ticketing/', 'gateway/', 'rest-compat/', 'server/', ...whole],
  'subgraphs/media': ['subgraphs/media/', 'gateway/', 'rest-compat/', 'server/', ...whole],
  gateway: ['gateway/', 'rest-compat/', 'server/', ...whole],
  'rest-compat': ['rest-compat/', 'server/', ...whole],
  server: ['server/', ...whole],
  apps: ['server/', ...whole],
};

/** Those about all documents. Others name theirs. */
const ofDocuments = ['test/documents', 'test/pages/docs', 'server/src/docs-site/', 'tools/'];

/** Returns the tests that the changes since HEAD can affect, as beginnings of their paths. */
export function changedTests(root: string): string[] {
  const status = ['status', '--porcelain', '--no-renames', '--untracked-files=all', '-z'];
  const { stdout } = spawnSync('git', status, { cwd: root, encoding: 'utf8' });
  const paths = stdout.split('\0').flatMap((line) => line.slice(3) || []);
  const isGone = (path: string) => path.endsWith('.test.ts') && !existsSync(join(root, path));
  const tests = paths.flatMap((path) => (isGone(path) ? [] : [...testsOf(path), ...testsThatName(root, path)]));
  return [...new Set(tests)];
}

/** Returns the tests that a change of this file can affect, but for those that read it as a document. */
export function testsOf(path: string): string[] {
  if (path.endsWith('.test.ts')) return [path];
  if (isDocument(path)) return ofDocuments;
  if (/^test\/.*\.ts$/.test(path)) return whole;
  const folder = Object.keys(byFolder).find((name) => path.startsWith(`${name}/`));
  return byFolder[folder ?? ''] ?? everything;
}

const isDocument = (path: string) => path.startsWith('docs/') || /^[^/]+\.md$/.test(path);

function testsThatName(root: string, path: string): string[] {
  if (!isDocument(path)) return [];
  const folders = everything.map((folder) => `${folder}**/*.test.ts`);
  return globSync(folders, { cwd: root, exclude: ['**/node_modules'] }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes(basename(path)),
  );
}
