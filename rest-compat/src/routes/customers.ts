import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import {
  CustomerDocument,
  LoginCustomerDocument,
  RegisterCustomerDocument,
  type CustomerSessionPartsFragment,
} from '../generated/operations.ts';
import { present } from '../refusals.ts';
import { route } from '../route.ts';

const signedIn = ({ token, expiresAt, customer }: CustomerSessionPartsFragment) => ({
  success: true,
  token,
  expiresAt,
  customer,
});

/** Customers of the storefront: their legacy HS256 token, and their record (spec 2, "Orders"). */
export const customers = [
  route('POST', '/auth/register', {
    token: 'ignored',
    document: RegisterCustomerDocument,
    input: z.object({
      body: z.object({
        email: z.string().max(320),
        password: z.string().min(1).max(200),
        fullName: z.string().min(1).max(200),
        contactNo: z.string().max(50).optional(),
        identificationNo: z.string().max(50).optional(),
        langChosen: z.string().max(10).optional(),
      }),
    }),
    // A legacy client gets a token with its registration, for a new record that owns nothing of the address. When
    // REST_AUTH is strict, only verifying the address gives a token.
    documented: { permissions: ['legacy:customer-token'] },
    variables: ({ body }) => ({ input: body }),
    reply: ({ registerCustomer: { session, expiresIn } }) =>
      session ? signedIn(session) : { success: true, expiresIn },
    status: 201,
  }),

  route('POST', '/auth/login', {
    token: 'ignored',
    document: LoginCustomerDocument,
    input: z.object({ body: z.object({ email: z.string().max(320), password: z.string().min(1).max(200) }) }),
    variables: ({ body }) => body,
    reply: ({ loginCustomer }) => signedIn(loginCustomer),
  }),

  route('GET', '/api/customer/profile', {
    token: 'needed when strict',
    document: CustomerDocument,
    input: z.object({ query: z.object({ custId: uuidText('must be the id of a customer') }) }),
    variables: ({ query }) => query,
    reply: ({ customer }) => ({ success: true, data: present(customer, 'customer') }),
  }),
];
