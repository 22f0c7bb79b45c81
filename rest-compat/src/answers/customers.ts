import { z } from 'zod';

import type { CustomerSessionPartsFragment } from '../generated/operations.ts';
import { Done } from './envelope.ts';

export const Customer = z
  .object({
    custId: z.string(),
    email: z.string(),
    fullName: z.string(),
    contactNo: z.string().nullable(),
    identificationNo: z.string().nullable(),
    hasLogin: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Customer' });

/** The answer to the login of a customer. */
export const CustomerLogin = Done.extend({ token: z.string(), expiresAt: z.iso.datetime(), customer: Customer }).meta({
  id: 'CustomerLogin',
});

export const customerLogin = (session: CustomerSessionPartsFragment): z.input<typeof CustomerLogin> => ({
  success: true,
  ...session,
});

/** The answer to a registration that gives no token: in how many seconds the link of the mail expires. */
export const CustomerToVerify = Done.extend({ expiresIn: z.int() }).meta({ id: 'CustomerToVerify' });
