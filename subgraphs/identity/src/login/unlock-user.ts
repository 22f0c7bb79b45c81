import type { AccountState } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Clock } from '@foyer/shared/clock';
import type { Id } from '@foyer/shared/ids';

import { audit } from '../audit/write-audit.ts';
import { limits } from '../limits/limits.ts';
import { findNamedUser } from '../tenancy/named-user.ts';
import { forgetAttemptsFrom, forgetAttemptsOf } from './login-attempts.ts';

interface Needs {
  db: IdentityDatabase;
  clock: Clock;
}

interface Whom {
  /** A user name or an e-mail address. */
  name: string;
  companyCode: string;
  /** Also lets everybody at this address try again. */
  address?: string | undefined;
  /** Who unlocks, for the audit log. */
  actor: string;
}

interface Unlocked {
  userId: Id;
  username: string;
  email: string;
  /** Unlocking changes nothing about it: who is disabled stays disabled. */
  accountState: AccountState;
  /** How many failed sign-ins no longer count. */
  failures: number;
}

/**
 * Lets a person sign in again at once, after so many failures that the login makes them wait.
 *
 * @throws {Refusal} `USER_NOT_FOUND`, `NAME_AMBIGUOUS`
 */
export async function unlockUser({ db, clock }: Needs, { name, companyCode, address, actor }: Whom): Promise<Unlocked> {
  return db.$transaction(async (tx) => {
    const user = await findNamedUser(tx, { name, companyCode });
    const counted = limits({ db: tx, clock });
    let failures = address ? await forgetAttemptsFrom(counted, address) : 0;
    failures += await forgetAttemptsOf(counted, user);
    await audit(tx, {
      organizationId: user.orgId,
      userId: actor,
      action: 'user.unlocked',
      target: { kind: 'user', id: user.id },
      details: { failures, ...(address && { address }) },
    });
    const { id: userId, username, email, accountState } = user;
    return { userId, username, email, accountState, failures };
  });
}
