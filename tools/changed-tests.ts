import { spawnSync } from 'node:child_process';

/**
 * Returns the tests that the changes since HEAD can affect: those beside them, those of the same subgraph, and all
 * end-to-end tests for code that every one of them runs.
 */
export function changedTests(root: string): string[] {
  const files = spawnSync('git', ['status', '--porcelain', '--no-renames'], { cwd: root, encoding: 'utf8' }).stdout;
  const paths = files
    .split('\n')
    .map((line) => line.slice(3))
    .filter((path) => /\.(ts|graphql|prisma|sql|eta|json)$/.test(path));
  return [...new Set(paths.flatMap(testsOf))];
}

function testsOf(path: string): string[] {
  if (path.endsWith('.test.ts')) return [path];
  const subgraph = /^subgraphs\/(identity|ticketing|media)\//.exec(path)?.[1];
  if (subgraph) return [`subgraphs/${subgraph}/`, `test/${subgraph}/`];
  const folder = path.split('/', 1)[0] ?? '';
  if (folder === 'docs') return ['test/documents'];
  if (folder === 'gateway') return ['gateway/', 'test/'];
  return ['subgraphs/', 'gateway/', 'server/', 'prisma/', 'rest-compat/', 'test/'];
}
