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

interface UnlockParams {
  /** A user name or an e-mail address. */
  name: string;
  companyCode: string;
  /** Also clears the failures of everybody at this address. */
  address?: string | undefined;
  /** Who unlocks the account, for the audit log. */
  actor: string;
}

interface Unlocked {
  userId: Id;
  username: string;
  email: string;
  /** Unlocking does not change it: a disabled account stays disabled. */
  accountState: AccountState;
  /** How many failed logins were cleared. */
  failures: number;
}

/**
 * Unlocks the login of a person who failed too often.
 *
 * @throws {Refusal} `USER_NOT_FOUND`, `NAME_AMBIGUOUS`
 */
export async function unlockUser(
  { db, clock }: Needs,
  { name, companyCode, address, actor }: UnlockParams,
): Promise<Unlocked> {
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
