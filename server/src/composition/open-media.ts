import type { Authentication } from '@foyer/identity/authentication';
import { createMedia } from '@foyer/media/app';
import { readConfig } from '@foyer/media/config';

import { openFolder } from '../data-dir/data-dir.ts';
import type { SubgraphOptions } from './infrastructure.ts';

/** @throws {ConfigError} naming the variable that can't be used */
export async function openMedia(
  { stack, shared, env }: SubgraphOptions,
  { permissions, rights, authenticate }: Pick<Authentication, 'permissions' | 'rights' | 'authenticate'>,
) {
  const config = readConfig(env);
  await openFolder('MEDIA_DIR', config.store.folder); // the work folder is there, with S3 too
  const media = await createMedia({ ...shared, config, permissions, rights, authenticate });
  return stack.adopt(media, (open) => open.stop());
}
