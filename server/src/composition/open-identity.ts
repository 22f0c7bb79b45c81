import { createIdentity } from '@foyer/identity/app';
import { readConfig } from '@foyer/identity/config';
import { ConfigError } from '@foyer/shared/config/config';
import { Refusal } from '@foyer/shared/errors';

import type { SubgraphOptions } from './infrastructure.ts';
import { assertTokenReadable } from './named-files.ts';

/** @throws {ConfigError} naming the variable that can't be used */
export async function openIdentity({ stack, shared, env }: SubgraphOptions) {
  await assertTokenReadable(env);
  return stack.adopt(await createIdentity({ ...shared, config: readConfig(env) }), (open) => open.stop());
}

/**
 * Runs the start-up of identity, which needs the provider until there are people of the platform.
 *
 * @throws {ConfigError} when the provider does not answer, or refuses our token: the log says which
 */
export const startUpIdentity = (identity: { startUp(): Promise<void> }): Promise<void> =>
  identity.startUp().catch((error: unknown) => {
    const isAway = error instanceof Refusal && error.reason === 'IDENTITY_PROVIDER_DOWN';
    throw isAway
      ? new ConfigError('IDP_URL: the identity provider can not be used, and the first start needs it')
      : error;
  });
