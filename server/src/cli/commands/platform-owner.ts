import {
  addPlatformOwner,
  listPlatformOwners,
  removePlatformOwner,
  type PlatformOwner,
} from '@foyer/identity/platform-owners';

import { OPERATOR, openOperatorContext } from '../operator/operator-context.ts';
import { withInstallation } from '../operator/installation.ts';
import type { Terminal } from '../operator/terminal.ts';

/** `foyer platform owner add`: makes a user an owner of the platform. */
export const addOwner = ({ env, say }: Terminal, name: string, companyCode: string): Promise<boolean> =>
  withInstallation(env, ['database'], async (installation, stack) => {
    const owner = await addPlatformOwner(await openOperatorContext(installation, stack), {
      name,
      companyCode,
      actor: OPERATOR,
    });
    say(owner, `${owner.username} ${owner.changed ? 'is' : 'was already'} an owner of the platform`);
    return true;
  });

/** `foyer platform owner remove`: removes an owner, but never the last one who may sign in. */
export const removeOwner = ({ env, say }: Terminal, name: string, companyCode: string): Promise<boolean> =>
  withInstallation(env, ['database'], async (installation, stack) => {
    const owner = await removePlatformOwner(await openOperatorContext(installation, stack), {
      name,
      companyCode,
      actor: OPERATOR,
    });
    say(owner, `${owner.username} is no owner of the platform any more`);
    return true;
  });

/** `foyer platform owner list`: lists the owners. */
export const listOwners = ({ env, say }: Terminal): Promise<boolean> =>
  withInstallation(env, ['database'], async (installation, stack) => {
    const owners = await listPlatformOwners(await openOperatorContext(installation, stack));
    say({ owners }, owners.length > 0 ? owners.map(inWords).join('\n') : 'the platform has no owner');
    return true;
  });

const inWords = ({ userId, username, email, accountState, companyCode }: PlatformOwner) =>
  [userId, username, email, companyCode, accountState === 'active' ? '' : `the account is ${accountState}`]
    .filter(Boolean)
    .join('  ');
