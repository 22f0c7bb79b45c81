import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { Customer, CustomerLogin, customerLogin, CustomerToVerify } from '../answers/customers.ts';
import { done, ok, okOf } from '../answers/envelope.ts';
import { CustomerDocument, LoginCustomerDocument, RegisterCustomerDocument } from '../generated/operations.ts';
import { present } from '../refusals.ts';
import { route } from '../route.ts';

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
    answer: z.union([CustomerLogin, CustomerToVerify]),
    reply: ({ registerCustomer: { session, expiresIn } }) =>
      session ? customerLogin(session) : { ...done, expiresIn },
    status: 201,
  }),

  route('POST', '/auth/login', {
    token: 'ignored',
    document: LoginCustomerDocument,
    input: z.object({ body: z.object({ email: z.string().max(320), password: z.string().min(1).max(200) }) }),
    variables: ({ body }) => body,
    answer: CustomerLogin,
    reply: ({ loginCustomer }) => customerLogin(loginCustomer),
  }),

  route('GET', '/api/customer/profile', {
    token: 'needed when strict',
    document: CustomerDocument,
    input: z.object({ query: z.object({ custId: uuidText() }) }),
    variables: ({ query }) => query,
    answer: okOf(Customer),
    reply: ({ customer }) => ok(present(customer, 'customer')),
  }),
];
