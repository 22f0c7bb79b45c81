import { createRequire } from 'node:module';

import { defineConfig } from 'vitest/config';

const require = createRequire(import.meta.url);

/** One for all files of a run. Set-ups are torn down in reverse order: what uses it stops before it. */
const postgres = 'prisma/src/testing/postgres-for-the-run.ts';

export default defineConfig({
  // Vite would take graphql's ESM build where Apollo takes the CommonJS one: two copies, and refusals turn into 500.
  resolve: { alias: [{ find: /^graphql$/, replacement: require.resolve('graphql') }] },
  test: {
    // What waits for an event waits long: how fast a machine is, no test asks.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One line for each file: a slow test would get a line of its own.
    slowTestThreshold: 3_600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          globalSetup: [postgres],
          // As many as a small machine has processors: vitest would keep one for itself.
          maxWorkers: 2,
          include: ['{gateway,subgraphs/*,prisma,rest-compat,standalone}/src/**/*.test.ts', 'tools/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'stories',
          globalSetup: [postgres, 'test/support/shared-for-the-run.ts'],
          sequence: { groupOrder: 1 },
          include: ['test/**/*.test.ts'],
          // Each file opens a whole house; two at once are enough for a small machine.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'distributed',
          globalSetup: [postgres, 'test/support/shared-for-the-run.ts'],
          sequence: { groupOrder: 2 },
          include: ['test/**/*.test.ts'],
          // What is about `pnpm start` itself, or about no house.
          exclude: ['**/node_modules/**', 'test/{start-up,documents}.test.ts'],
          // The same stories, told of a house of many processes.
          env: { FOYER_LAYOUT: 'distributed' },
          // Seven processes are started where one was.
          testTimeout: 90_000,
          hookTimeout: 240_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
