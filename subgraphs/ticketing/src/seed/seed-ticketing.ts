import { demo } from '@foyer/shared/demo';

import type { Services } from '../context.ts';
import { seedAdvertising } from './seed-advertising.ts';
import { customer, ticketGroups } from './storefront-content.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'customerDirectory'>;

/**
 * Seeds Acme's demo data: ticket groups, advertising and a customer. It only creates what is missing, so that changes of
 * staff stay.
 *
 * @param demoPassword of the demo customer
 */
export async function seedTicketing(needs: Needs, { demoPassword }: { demoPassword: string }): Promise<void> {
  await seedTicketGroups(needs);
  await seedAdvertising(needs);
  await seedCustomer(needs, demoPassword);
}

async function seedTicketGroups({ db }: Needs): Promise<void> {
  const { organizationId, workspaceId } = demo.acme;
  for (const { variants, ...group } of ticketGroups) {
    if (await db.ticketGroup.findUnique({ where: { organizationId_slug: { organizationId, slug: group.slug } } }))
      continue;
    const sorted = variants.map((variant, sort) => ({ ...variant, sort }));
    await db.ticketGroup.create({ data: { ...group, organizationId, workspaceId, variants: { create: sorted } } });
  }
}

/** The directory finds an existing user again, so the next run completes a seed that was interrupted. */
async function seedCustomer({ db, clock, customerDirectory }: Needs, password: string): Promise<void> {
  if (await db.customer.findFirst({ where: { email: customer.email, hasLogin: true } })) return;
  const idpUserId = await customerDirectory.createUser(customer.custId, { fullName: customer.fullName, password });
  await db.customer.create({ data: { ...customer, hasLogin: true, idpUserId, emailVerifiedAt: clock.now() } });
}
