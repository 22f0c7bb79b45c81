import { createIdentity } from '@foyer/identity/app';
import { readConfig } from '@foyer/identity/config';

import type { SubgraphOptions } from './infrastructure.ts';

/** @throws {ConfigError} naming the variable that can't be used */
export const openIdentity = async ({ stack, shared, env }: SubgraphOptions) =>
  stack.adopt(await createIdentity({ ...shared, config: readConfig(env) }), (open) => open.stop());
