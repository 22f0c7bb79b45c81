/**
 * Set-up of tests whose files share a process: each file leaves the environment as it was, and waits give up late, because
 * machines are slow (vitest's default is one second).
 */
import { afterAll, vi } from 'vitest';

const { env } = process; // oxlint-disable-line node/no-process-env -- it is what this is about
const before = { ...env };

afterAll(() => {
  for (const name of Object.keys(env)) if (!(name in before)) delete env[name];
  Object.assign(env, before);
});

const PATIENTLY = { timeout: 60_000 };
const optionsOf = (given: number | object | undefined) =>
  typeof given === 'number' ? { timeout: given } : { ...PATIENTLY, ...given };

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, optionsOf(options));
vi.waitUntil = (callback, options) => waitUntil(callback, optionsOf(options));

// Names in fixtures count in their modules: loaded again, they would give the same names again.
vi.resetModules = () => {
  throw new Error('the files of a process share their modules: import one anew by a query, as in `./name.ts?anew`');
};
