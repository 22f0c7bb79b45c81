import type { Authentication } from '@foyer/identity/authentication';
import { createMedia } from '@foyer/media/app';
import { readConfig } from '@foyer/media/config';

import type { SubgraphOptions } from './infrastructure.ts';

/** @throws {ConfigError} naming the variable that can't be used */
export async function openMedia(
  { stack, shared, env }: SubgraphOptions,
  { permissions, rights, authenticate }: Pick<Authentication, 'permissions' | 'rights' | 'authenticate'>,
) {
  const media = await createMedia({ ...shared, config: readConfig(env), permissions, rights, authenticate });
  return stack.adopt(media, (open) => open.stop());
}
