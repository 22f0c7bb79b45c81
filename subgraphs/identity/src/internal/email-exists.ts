import { requireService } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { emailIsTaken } from '../tenancy/taken-names.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'identityProvider'>;

/** Whether anybody has this address, in any case, here or at the identity provider. */
export async function emailExists(needs: Needs, email: string): Promise<boolean> {
  requireService(needs.viewer);
  return emailIsTaken(needs, email);
}
