import { networkOf } from '@foyer/shared/http/address';

import type { Context } from '../context.ts';
import { organizationByCode } from '../tenancy/organization-by-code.ts';

type Needs = Pick<Context, 'db' | 'limits' | 'client'>;

/** What everybody may know of an organization. */
interface Company {
  companyCode: string;
  name: string;
  onPremUrl: string | null;
}

/** Only misses count: who knows a code may ask as often as they like. */
const misses = { name: 'company-code:ip', most: 100, windowSeconds: 15 * 60 };

/**
 * The organization behind a company code; none for one that is not in use.
 *
 * @throws {Refusal} `RATE_LIMITED` for who guesses too often
 */
export async function findCompany({ db, limits, client }: Needs, companyCode: string): Promise<Company | null> {
  const taken = await limits.take(misses, networkOf(client.address));
  const organization = await organizationByCode(db, companyCode);
  if (organization?.status !== 'active') return null;
  await taken.giveBack();
  return { companyCode: organization.companyCode, name: organization.name, onPremUrl: organization.onPremUrl };
}
