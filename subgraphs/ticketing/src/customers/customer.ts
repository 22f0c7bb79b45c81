import type { Customer } from '@foyer/prisma/client';

/** A customer, and whether the viewer may know more than that there is one. */
export type CustomerInView = Customer & { inFull: boolean };

/** A session of a customer, and the token that names it. */
export interface CustomerSession {
  token: string;
  expiresAt: Date;
  customer: CustomerInView;
}

/** What everybody is told who registers. */
export interface CustomerRegistration {
  /** For how many seconds the link in the mail is valid. */
  expiresIn: number;
  /** Of the new record, not of whoever the address belongs to; for legacy clients only. */
  session: CustomerSession | null;
}
