import { isIP } from 'node:net';

import { unlockUser } from '@foyer/identity/unlock-user';

import { OPERATOR, openDesk } from '../desk.ts';
import { withHouse } from '../reach.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** `foyer user unlock`: lets somebody sign in again at once after too many failures. */
export async function unlock(
  terminal: Terminal,
  name: string,
  { companyCode, address }: { companyCode?: string; address?: string },
): Promise<boolean> {
  if (address !== undefined && !isIP(address)) throw new UsageError(`${address} is no IP address`);
  return withHouse(terminal.env, ['database'], async (reached, later) => {
    const whom = { name, companyCode: companyCode ?? '', address, actor: OPERATOR };
    const user = await unlockUser(await openDesk(reached, later), whom);
    const { username, failures, accountState } = user;
    const state = accountState === 'active' ? '' : `; the account itself is ${accountState}`;
    terminal.say(user, `${username} may sign in again: ${failures} failures no longer count${state}`);
    return true;
  });
}
