import type { Customer } from '@foyer/prisma/client';

/** A customer, and whether the viewer may see the record in full. */
export type CustomerInView = Customer & { inFull: boolean };

/** A session of a customer, and the token that names it. */
export interface CustomerSession {
  token: string;
  expiresAt: Date;
  customer: CustomerInView;
}

/** The answer to a registration, the same for everybody. */
export interface CustomerRegistration {
  /** For how many seconds the link in the mail is valid. */
  expiresIn: number;
  /** A session of the new record, which owns nothing of the address; for legacy clients only. */
  session: CustomerSession | null;
}
