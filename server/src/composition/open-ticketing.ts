import type { Authentication } from '@foyer/identity/authentication';
import { readCustomerDirectoryConfig } from '@foyer/identity/config';
import { customerDirectory } from '@foyer/identity/customer-directory';
import { openMediaDirectory } from '@foyer/media/media-directory';
import { createTicketing } from '@foyer/ticketing/app';
import { readConfig } from '@foyer/ticketing/config';
import { openReceiptStore } from '@foyer/ticketing/stores';

import type { SubgraphOptions } from './infrastructure.ts';
import { assertTokenReadable } from './named-files.ts';

/** @throws {ConfigError} naming the variable that can't be used */
export async function openTicketing(
  { stack, shared, env }: SubgraphOptions,
  { permissions, rights }: Pick<Authentication, 'permissions' | 'rights'>,
) {
  const config = readConfig(env);
  await assertTokenReadable(env);
  const ticketing = await createTicketing({
    ...shared,
    config,
    permissions,
    rights,
    mediaDirectory: openMediaDirectory({ db: shared.db, permissions }),
    customerDirectory: customerDirectory({ ...shared, config: readCustomerDirectoryConfig(env) }),
    receiptStore: await openReceiptStore(config),
  });
  return stack.adopt(ticketing, (open) => open.stop());
}
