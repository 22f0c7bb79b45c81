import { createRequire } from 'node:module';

import { defineConfig } from 'vitest/config';

import LongestFirst from './tools/longest-first.ts';

const require = createRequire(import.meta.url);

const packages = '{gateway,subgraphs/*,prisma,rest-compat,server}';
/** One for all files of a run. Set-ups are torn down in reverse order: what uses it stops before it. */
const postgres = 'prisma/src/testing/postgres-for-the-run.ts';
const seededPostgres = 'test/support/servers/postgres-for-the-run.ts';
const server = 'test/support/servers/shared-for-the-run.ts';
/** The three documents, row by row: on two of the shared servers, or on any other. */
const conformance = 'test/conformance/{identity,ticketing,media}.test.ts';
/** About the repository itself: the documents, and the tables of the conformance tests. */
const withoutServer = 'test/{documents,conformance/coverage}.test.ts';
/** On a Docker engine. */
const containers = 'test/containers/*.test.ts';

/** One more than processors: tests of a database, a program or a server mostly wait for it. */
const whileWaiting = 3;

/** Vitest would shuffle files only by its own sequencer. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

export default defineConfig({
  // Vite would take graphql's ESM build where Apollo takes the CommonJS one: two copies, and refusals turn into 500.
  resolve: { alias: [{ find: /^graphql$/, replacement: require.resolve('graphql') }] },
  test: {
    // Waits for events have long timeouts, because no test depends on the speed of the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // One line for each file: a slow test would get a line of its own.
    slowTestThreshold: 3_600_000,
    // As many as a small machine has processors: vitest would keep one for itself.
    maxWorkers: 2,
    ...(!isShuffled && { sequence: { sequencer: LongestFirst } }),
    // Where files of a project don't isolate, one process loads the code once for all its files: half of the work of
    // small tests. What such a file changes of the process, it puts back; what it counts, it counts from zero.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`${packages}/src/**/*.test.ts`, 'tools/*.test.ts', withoutServer],
          exclude: ['**/node_modules/**', '**/*.integration.test.ts'],
          setupFiles: ['tools/unit-test-guard.ts', 'tools/shared-process.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          sequence: { groupOrder: 1 },
          maxWorkers: whileWaiting,
          include: [`${packages}/src/**/*.integration.test.ts`, 'tools/*.integration.test.ts'],
          globalSetup: [postgres],
          setupFiles: ['tools/shared-process.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          sequence: { groupOrder: 2 },
          maxWorkers: whileWaiting,
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', conformance, withoutServer, containers],
          globalSetup: [seededPostgres, server],
          setupFiles: ['tools/shared-process.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          sequence: { groupOrder: 2 },
          maxWorkers: whileWaiting,
          include: [conformance],
          globalSetup: ['test/conformance/framework/servers.ts'],
          setupFiles: ['tools/shared-process.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e-distributed',
          sequence: { groupOrder: 3 },
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', conformance, withoutServer, containers],
          globalSetup: [seededPostgres, server],
          setupFiles: ['tools/shared-process.ts'],
          isolate: false,
          // The same tests, on a server of many processes.
          env: { FOYER_LAYOUT: 'distributed' },
        },
      },
      {
        extends: true,
        test: {
          name: 'containers',
          sequence: { groupOrder: 4 },
          include: [containers],
          // Each step needs the one before.
          bail: 1,
        },
      },
    ],
  },
});
