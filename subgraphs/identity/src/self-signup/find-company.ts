import { networkOf } from '@foyer/shared/http/addresses/address';

import type { Context } from '../context.ts';
import { organizationByCode } from '../tenancy/organization-by-code.ts';

type Needs = Pick<Context, 'db' | 'limits' | 'client'>;

/** The public facts of an organization. */
interface Company {
  companyCode: string;
  name: string;
  onPremUrl: string | null;
}

/** Counts unknown codes only: people who know a code may look it up as often as they like. */
const misses = { name: 'company-code:ip', most: 100, windowSeconds: 15 * 60 };

/**
 * Finds the organization with a company code, if it is active.
 *
 * @throws {Refusal} `RATE_LIMITED` for a network that guesses too often
 */
export async function findCompany({ db, limits, client }: Needs, companyCode: string): Promise<Company | null> {
  const taken = await limits.take(misses, networkOf(client.address));
  const organization = await organizationByCode(db, companyCode);
  if (organization?.status !== 'active') return null;
  await taken.giveBack();
  return { companyCode: organization.companyCode, name: organization.name, onPremUrl: organization.onPremUrl };
}
