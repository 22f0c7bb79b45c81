import { readId } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { findCustomer } from './find-customer.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

it('a customer is shown in full to staff only where they have ordered, not in another workspace of the organization', async () => {
  const { context, bankUrl } = ticketing;
  const buyer = createBuyer(context, bankUrl);
  const [here, beside] = [await buyer.orders(), await buyer.orders()];
  const organizationId = readId(here.organizationId);
  await context.db.orderTicketGroup.update({ where: { orderNo: beside.orderNo }, data: { organizationId } });
  const staff = {
    ...context,
    viewer: { kind: 'staff', organizationId } as Viewer,
    permissions: { ...context.permissions, workspacesWith: async () => [readId(here.workspaceId)] },
  };

  expect(await findCustomer(staff, here.custId)).toMatchObject({ inFull: true });
  expect(await findCustomer(staff, beside.custId)).toMatchObject({ inFull: false });
});
