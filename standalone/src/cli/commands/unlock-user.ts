import { unlockUser } from '@foyer/identity/unlock-user';

import { OPERATOR, openDesk } from '../desk.ts';
import { withHouse } from '../reach.ts';
import type { Terminal } from '../terminal.ts';

/** `foyer user unlock`: lets somebody sign in again at once after too many failures. */
export const unlock = (
  terminal: Terminal,
  name: string,
  { companyCode, address }: { companyCode?: string; address?: string },
): Promise<boolean> =>
  withHouse(terminal.env, ['database'], async (reached, later) => {
    const whom = { name, companyCode: companyCode ?? '', address, actor: OPERATOR };
    const user = await unlockUser(await openDesk(reached, later), whom);
    const { username, failures, accountState } = user;
    const state = accountState === 'active' ? '' : `; the account itself is ${accountState}`;
    terminal.say(user, `${username} may sign in again: ${failures} failures no longer count${state}`);
    return true;
  });
