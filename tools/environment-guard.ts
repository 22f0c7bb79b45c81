/** Set-up of the project `integration`, whose files share a process: each leaves its environment as it was. */
import { deepStrictEqual } from 'node:assert/strict';

import { afterAll } from 'vitest';

/** Set once for good: by libvips, and by the gateway. */
const exempt = ['VIPSHOME', 'APOLLO_TELEMETRY_DISABLED'];
const { env } = process; // oxlint-disable-line node/no-process-env -- it is what this is about
const environment = () => Object.fromEntries(Object.entries(env).filter(([name]) => !exempt.includes(name)));

const before = environment();

afterAll(() => {
  const after = environment();
  for (const name of Object.keys(after)) if (!(name in before)) delete env[name];
  Object.assign(env, before);
  deepStrictEqual(after, before);
});
