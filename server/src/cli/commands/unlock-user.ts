import { isIP } from 'node:net';

import { unlockUser } from '@foyer/identity/unlock-user';

import { OPERATOR, openOperatorContext } from '../operator/operator-context.ts';
import { withInstallation } from '../operator/installation.ts';
import type { Terminal } from '../operator/terminal.ts';
import { UsageError } from '../operator/usage-error.ts';

/** `foyer user unlock`: lets a user sign in again at once after too many failures. */
export async function unlock(
  terminal: Terminal,
  name: string,
  { companyCode, address }: { companyCode?: string; address?: string },
): Promise<boolean> {
  if (address !== undefined && !isIP(address)) throw new UsageError(`${address} is no IP address`);
  return withInstallation(terminal.env, ['database'], async (installation, stack) => {
    const target = { name, companyCode: companyCode ?? '', address, actor: OPERATOR };
    const user = await unlockUser(await openOperatorContext(installation, stack), target);
    const { username, failures, accountState } = user;
    const state = accountState === 'active' ? '' : `; the account itself is ${accountState}`;
    terminal.say(user, `${username} may sign in again: ${failures} failures were cleared${state}`);
    return true;
  });
}
