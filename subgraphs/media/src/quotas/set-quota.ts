import { badInput } from '@foyer/shared/errors';
import type { GivenId } from '@foyer/shared/ids';
import { permitOverOrganization } from '@foyer/shared/auth/permissions';

import type { SetMediaQuotaInput } from '../generated/graphql.ts';
import { readUsage } from './find-usage.ts';

type Needs = Parameters<typeof readUsage>[0];

const PERMISSION = 'org:manage';

/**
 * Gives an organization limits of its own. What it stores beyond them stays, but nothing is added.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`
 */
export async function setQuota(needs: Needs, { organizationId: given, ...input }: SetMediaQuotaInput) {
  const { organizationId } = await permitOverOrganization(needs, given, PERMISSION);
  const quota = { bytes: limit('bytes', input.bytes), items: limit('items', input.items) };
  await needs.db.mediaQuota.upsert({ where: { organizationId }, create: { organizationId, ...quota }, update: quota });
  return readUsage(needs, organizationId);
}

/** Gives an organization the configured limits again. @throws {Refusal} `FORBIDDEN` */
export async function resetQuota(needs: Needs, given: GivenId) {
  const { organizationId } = await permitOverOrganization(needs, given, PERMISSION);
  await needs.db.mediaQuota.deleteMany({ where: { organizationId } });
  return readUsage(needs, organizationId);
}

function limit(path: string, value: number | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  if (!Number.isSafeInteger(value) || value < 0)
    throw badInput([{ path, message: 'must be a whole number, 0 or more' }]);
  return value;
}
