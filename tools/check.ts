/**
 * Runs every check, the cheapest first. `pnpm test`, `pnpm check` and CI are this.
 *
 *     pnpm test                    all of them
 *     pnpm test types lint         some steps
 *     pnpm test login              the tests whose file or folder is named so
 *     pnpm test e2e login          those of one project
 *     pnpm test --changed          tests that the changes since HEAD can affect
 *
 * End-to-end tests run on one process. The step `e2e-distributed` runs them on many, with a real Redis: in CI only
 * those that depend most on processes; by its name, all of them. The step `containers` runs on a Docker engine, and only by its
 * name.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

import { changedTests } from './changed-tests.ts';
import { describeLacking, summarize } from './test-report.ts';

const root = join(import.meta.dirname, '..');
const reports = mkdtempSync(join(tmpdir(), 'foyer-check-'));

const onBuildServer = Boolean(process.env['CI']);

const say = (line: string) => void process.stdout.write(`${line}\n`);

const reportOf = (step: string) => join(reports, `${step}.json`);
const vitest = (step: string, projects: readonly string[], ...files: string[]) => [
  'vitest',
  'run',
  ...projects.map((project) => `--project=${project}`),
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportOf(step)}`,
  ...files,
];

/** Generated files that are committed, so that a review shows how they change. */
const composed = [
  '.env.example',
  'gateway/schema.graphql',
  'gateway/supergraph.graphql',
  'rest-compat/persisted-operations.json',
];

const aboutProcesses = [
  'test/subscriptions',
  'test/main-job',
  'test/federation',
  'test/redis/',
  'test/observability/',
  'test/media/store-away',
  'test/media/publishing-survival',
];

/** Projects that run only by their names. */
const named = ['e2e-distributed', 'containers'];
const projects = ['unit', 'integration', 'e2e', 'conformance', ...named];
const steps: Record<string, string[]> = {
  generate: ['node', 'tools/generate.ts'],
  composition: ['git', 'diff', '--exit-code', '--stat', '--', ...composed],
  format: ['oxfmt', '--check', '.'],
  types: ['tsc', '--noEmit'],
  'types of the demo': ['tsc', '-p', 'apps/demo'],
  lint: ['oxlint', '--type-aware', '--deny-warnings', '.'],
  knip: ['knip', '--no-progress', '--no-gitignore'],
  bundle: ['node', 'tools/bundle.ts'], // makes the start of sixty servers faster
  ...Object.fromEntries(projects.map((project) => [project, vitest(project, [project])])),
};

/** The steps of each command, and their target time on two quiet cores. */
interface Plan {
  steps: Record<string, string[]>;
  minutes?: number;
}

function plan(given: readonly string[]): Plan {
  const chosen = given.filter((argument) => argument in steps);
  const words = given.filter((argument) => !(argument in steps) && argument !== '--changed');
  const files = given.includes('--changed') ? changedTests(root) : words;
  if (given.includes('--changed') && files.length === 0) return { steps: {} };
  const some = Object.fromEntries(chosen.map((name) => [name, steps[name] ?? []]));
  if (files.length > 0) {
    const chosenProjects = chosen.filter((name) => projects.includes(name));
    const among = chosenProjects.length > 0 ? chosenProjects : projects.filter((project) => !named.includes(project));
    for (const project of chosenProjects) delete some[project];
    const generate = ['node', 'tools/generate.ts', '--if-changed'];
    const { bundle = [] } = steps;
    return {
      // One run of vitest, because its start takes longer than most files.
      steps: { generate, bundle, ...some, tests: vitest('tests', among, ...files) },
      ...(words.length === 1 && { minutes: 1.5 }),
    };
  }
  if (chosen.length > 0) return { steps: some };
  // Tests on shared servers run together, so that no core waits for the last file of the other.
  const { e2e: _, conformance: __, containers: ___, 'e2e-distributed': distributed = [], ...first } = steps;
  const others = { ...first, 'e2e, conformance': vitest('e2e, conformance', ['e2e', 'conformance']) };
  return onBuildServer
    ? { steps: { ...others, 'e2e-distributed': [...distributed, ...aboutProcesses] }, minutes: 15 }
    : { steps: others, minutes: 10 };
}

/** Returns the CPU time of the whole machine since its start, in seconds, other programs included. */
const cpuSeconds = () =>
  cpus().reduce((total, { times }) => total + (times.user + times.nice + times.sys + times.irq) / 1000, 0);

/** Starts a measurement. */
function startMeter(): () => { wall: number; cpu: number } {
  const [started, cpu] = [performance.now(), cpuSeconds()];
  return () => ({ wall: (performance.now() - started) / 1000, cpu: cpuSeconds() - cpu });
}
const inTime = ({ wall, cpu }: { wall: number; cpu: number }) =>
  `${wall.toFixed(1).padStart(7)} s   ${cpu.toFixed(1).padStart(7)} s`;

const planned = plan(process.argv.slice(2));
if (Object.keys(planned.steps).length === 0) {
  say('nothing has changed that a test depends on');
  process.exit(0);
}

const whole = startMeter();
const failed: string[] = [];
const measured: string[] = [];
for (const [name, [command = '', ...args]] of Object.entries(planned.steps)) {
  const meter = startMeter();
  say(`\n— ${name}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), // each step loads much of what the one before has
    },
  });
  const taken = meter();
  say(`— ${name} ${status === 0 ? 'passed' : 'FAILED'} in ${taken.wall.toFixed(1)} s`);
  measured.push(`${name.padEnd(18)} ${inTime(taken)}`);
  if (status !== 0) failed.push(name);
  // Without the generated sources, every later step would fail for the same reason.
  if (name === 'generate' && status !== 0) break;
}

say(`\n${'step'.padEnd(18)}      time   CPU time of the whole machine`);
for (const line of [...measured, `${'all'.padEnd(18)} ${inTime(whole())}`]) say(line);
if (planned.minutes !== undefined)
  say(`two quiet cores take at most ${planned.minutes * 60} s; this was ${whole().wall.toFixed(0)} s`);

const { passed, failures, lacking, ...counts } = summarize(
  new Map(Object.keys(planned.steps).map((step) => [step, reportOf(step)])),
  root,
);
if (onBuildServer && counts.skipped > 0) failed.push(`${counts.skipped} tests skipped in CI`);
if (failures.length > 0) {
  say('');
  for (const { step, file, line } of failures) say(`✗ ${step}: ${file}: ${line}`);
  const again = failures.map(({ step, file }) => `npx -y pnpm test ${step in steps ? `${step} ` : ''}${file}`);
  say(`\nRepeat one by its file:\n${[...new Set(again)].slice(0, 5).join('\n')}`);
}
if (lacking.size > 0) {
  say(`\n${counts.skipped} tests did not run, as this machine lacks what they need:`);
  for (const line of describeLacking(lacking)) say(line);
}
say(failed.length > 0 ? `\nFAILED: ${failed.join(', ')}` : '\nall checks passed');
say(`${passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = failed.length > 0 ? 1 : 0;
