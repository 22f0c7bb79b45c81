import {
  addPlatformOwner,
  listPlatformOwners,
  removePlatformOwner,
  type PlatformOwner,
} from '@foyer/identity/platform-owners';

import { OPERATOR, openDesk } from '../desk.ts';
import { withHouse } from '../reach.ts';
import type { Terminal } from '../terminal.ts';

/** `foyer platform owner add`: makes somebody an owner of the platform. */
export const addOwner = ({ env, say }: Terminal, name: string, companyCode: string): Promise<boolean> =>
  withHouse(env, ['database'], async (reached, later) => {
    const owner = await addPlatformOwner(await openDesk(reached, later), { name, companyCode, actor: OPERATOR });
    say(owner, `${owner.username} ${owner.changed ? 'is' : 'was already'} an owner of the platform`);
    return true;
  });

/** `foyer platform owner remove`: takes it from somebody; never from the last who may sign in. */
export const removeOwner = ({ env, say }: Terminal, name: string, companyCode: string): Promise<boolean> =>
  withHouse(env, ['database'], async (reached, later) => {
    const owner = await removePlatformOwner(await openDesk(reached, later), { name, companyCode, actor: OPERATOR });
    say(owner, `${owner.username} is no owner of the platform any more`);
    return true;
  });

/** `foyer platform owner list`: who they are. */
export const listOwners = ({ env, say }: Terminal): Promise<boolean> =>
  withHouse(env, ['database'], async (reached, later) => {
    const owners = await listPlatformOwners(await openDesk(reached, later));
    say({ owners }, owners.length > 0 ? owners.map(inWords).join('\n') : 'the platform has no owner');
    return true;
  });

const inWords = ({ userId, username, email, accountState, companyCode }: PlatformOwner) =>
  [userId, username, email, companyCode, accountState === 'active' ? '' : `the account is ${accountState}`]
    .filter(Boolean)
    .join('  ');
