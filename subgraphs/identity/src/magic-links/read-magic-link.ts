import type { Context } from '../context.ts';
import { tokenHash } from '../tokens/tokens.ts';

type Needs = Pick<Context, 'db' | 'clock'>;

/** An invitation link as its holder sees it before using it. */
export interface SeenMagicLink {
  status: 'VALID' | 'EXPIRED' | 'INVALID';
  expiresAt: string | null;
  email: string | null;
  username: string | null;
  organizationName: string | null;
  companyCode: string | null;
}

const nothing = { expiresAt: null, email: null, username: null, organizationName: null, companyCode: null };

/** Reads a link without using it. */
export async function readMagicLink({ db, clock }: Needs, token: string): Promise<SeenMagicLink> {
  const link = await db.magicLink.findUnique({
    where: { tokenHash: tokenHash(token) },
    include: { user: { include: { org: true } } },
  });
  if (!link || link.usedAt || link.user.accountState !== 'invited') return { status: 'INVALID', ...nothing };
  const expiresAt = link.expiresAt.toISOString();
  if (link.expiresAt <= clock.now()) return { status: 'EXPIRED', ...nothing, expiresAt };
  const { email, username, org } = link.user;
  return { status: 'VALID', expiresAt, email, username, organizationName: org.name, companyCode: org.companyCode };
}
