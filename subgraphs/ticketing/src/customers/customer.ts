import type { Customer } from '@foyer/prisma/client';

/** A customer, and whether the viewer may know more than that there is one. */
export type CustomerInView = Customer & { inFull: boolean };

/** A customer who has shown their password, and the token that says so. */
export interface CustomerSession {
  token: string;
  expiresAt: Date;
  customer: CustomerInView;
}
