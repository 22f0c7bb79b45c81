/**
 * Runs every check there is, in the order in which a fault is cheapest to find. `pnpm test`, `pnpm check` and CI are this.
 *
 *     pnpm test                    all of them
 *     pnpm test types lint         some steps
 *     pnpm test login              the tests whose file or folder is named so
 *     pnpm test --changed          the tests that what differs from HEAD can affect
 *
 * End-to-end tests run on one process. The step `e2e-distributed` runs them on many, with a real Redis: on a build server
 * those that processes matter most to, and all of them where it is asked for by name.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const reports = mkdtempSync(join(tmpdir(), 'foyer-check-'));

const onBuildServer = Boolean(process.env['CI']);

const say = (line: string) => void process.stdout.write(`${line}\n`);

const vitest = (project: string, ...files: string[]) => [
  'vitest',
  'run',
  '--project',
  project,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(reports, `${project}.json`)}`,
  ...files,
];

/** What is generated and committed, so that a review sees how it changes. */
const composed = ['gateway/schema.graphql', 'gateway/supergraph.graphql', 'rest-compat/persisted-operations.json'];

const steps: Record<string, string[]> = {
  generate: ['node', 'tools/generate.ts'],
  composition: ['git', 'diff', '--exit-code', '--stat', '--', ...composed],
  format: ['oxfmt', '--check', '.'],
  types: ['tsc', '--noEmit'],
  'types of the demo': ['tsc', '-p', 'standalone/demo'],
  lint: ['oxlint', '--type-aware', '--deny-warnings', '.'],
  knip: ['knip', '--no-progress', '--no-gitignore'],
  unit: vitest('unit'),
  integration: vitest('integration'),
  e2e: vitest('e2e'),
  conformance: vitest('conformance'),
  'e2e-distributed': vitest('e2e-distributed'),
};
const projects = ['unit', 'integration', 'e2e', 'conformance', 'e2e-distributed'];
const aboutProcesses = [
  'test/subscriptions',
  'test/main-job',
  'test/federation',
  'test/redis/',
  'test/observability/',
  'test/media/store-away',
  'test/media/survival-publishing',
];

const given = process.argv.slice(2);
const chosen = given.filter((argument) => argument in steps);
const words = given.filter((argument) => !(argument in steps) && argument !== '--changed');
const narrowed = given.includes('--changed') ? changedTests() : words;
if (given.includes('--changed') && narrowed.length === 0) {
  say('nothing has changed that a test depends on');
  process.exit(0);
}
if (narrowed.length > 0) {
  chosen.push(...['unit', 'integration', 'e2e'].filter((project) => !chosen.includes(project)));
  for (const project of projects) steps[project]?.push('--passWithNoTests', ...narrowed);
}
if (chosen.length === 0) {
  if (onBuildServer) steps['e2e-distributed']?.push(...aboutProcesses);
  else delete steps['e2e-distributed'];
}
const names = chosen.length > 0 ? chosen : Object.keys(steps);
const failed: string[] = [];

for (const name of names) {
  const [command = '', ...args] = steps[name] ?? [];
  const started = performance.now();
  say(`\n— ${name}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` },
  });
  const verdict = status === 0 ? 'passed' : 'FAILED';
  say(`— ${name} ${verdict} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (status !== 0) failed.push(name);
  // Without the generated sources every later step would only repeat this one's complaint.
  if (name === 'generate' && status !== 0) break;
}

/** What is read of vitest's JSON report. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/**
 * The tests that can see what differs from HEAD: those beside it, those of its subgraph, and all end-to-end tests for what
 * every one of them runs.
 */
function changedTests(): string[] {
  const files = spawnSync('git', ['status', '--porcelain', '--no-renames'], { cwd: root, encoding: 'utf8' }).stdout;
  const paths = files
    .split('\n')
    .map((line) => line.slice(3))
    .filter((path) => /\.(ts|graphql|prisma|sql|eta|json)$/.test(path));
  const tests = paths.flatMap((path) => {
    if (path.endsWith('.test.ts')) return [path];
    const subgraph = /^subgraphs\/(identity|ticketing|media)\//.exec(path)?.[1];
    if (subgraph) return [`subgraphs/${subgraph}/`, `test/${subgraph}/`];
    const folder = path.split('/', 1)[0] ?? '';
    return folder === 'docs'
      ? ['test/documents']
      : folder === 'gateway'
        ? ['gateway/', 'test/']
        : ['subgraphs/', 'gateway/', 'standalone/', 'prisma/', 'rest-compat/', 'test/'];
  });
  return [...new Set(tests)];
}

const failedFiles = () => [...new Set(failures.map((failure) => failure.split(': ')[1] ?? ''))].slice(0, 5);

/** What failed, a line each: who sees only the end of a long log can act on it. */
function failuresOf({ testResults }: Report): string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      const told = tests.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0] ?? ''}`);
      return (told.length > 0 ? told : [message]).map((line) => `${relative(root, name)}: ${onOneLine(line)}`);
    });
}
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 400);

/** What a skipped test says that it lacks (test/support/missing.ts). */
function lackingOf({ testResults }: Report): string[] {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending' || status === 'skipped')
    .flatMap(({ fullName }) => /\(skipped: no (.+?) on this machine\)/.exec(fullName)?.[1]?.split(', ') ?? []);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
const lacking = new Set<string>();
for (const project of projects) {
  const file = join(reports, `${project}.json`);
  if (!existsSync(file)) continue;
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  counts.passed += report.numPassedTests;
  counts.failed += report.numFailedTests;
  counts.skipped += report.numPendingTests;
  failures.push(...failuresOf(report).map((failure) => `✗ ${project}: ${failure}`));
  for (const program of lackingOf(report)) lacking.add(program);
}

if (onBuildServer && counts.skipped > 0) failed.push(`${counts.skipped} tests skipped in CI`);
if (failures.length > 0)
  say(`\n${failures.join('\n')}\nRepeat one by its file: npx -y pnpm test ${failedFiles().join(' ')}`);
if (lacking.size > 0)
  say(
    `\n${counts.skipped} tests did not run, as this machine lacks ${[...lacking].join(', ')}. On Debian: .ci/run install`,
  );
say(failed.length > 0 ? `\nFAILED: ${failed.join(', ')}` : '\nall checks passed');
say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = failed.length > 0 ? 1 : 0;
