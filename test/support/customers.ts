import { expect } from 'vitest';

import type { Server } from './server-process.ts';
import { linkFor } from './inbox.ts';
import { graphql } from './people.ts';

const REGISTER = `mutation ($input: RegisterCustomerInput!) {
  registerCustomer(input: $input) { expiresIn session { token } } }`;
const VERIFY = `mutation ($token: String!, $password: String!) {
  verifyCustomer(token: $token, password: $password) { token customer { custId email hasLogin } } }`;
const LOGIN = `mutation ($email: String!, $password: String!) {
  loginCustomer(email: $email, password: $password) { token customer { custId } } }`;

let count = 0;

/** An address that nobody has had. */
export const newAddress = () => `customer-${process.pid}-${(count += 1)}@example.test`;

export const tokenIn = (link: string) => new URL(link, 'http://foyer').searchParams.get('token') ?? '';

export const register = (server: Server, email: string, differently: object = {}) =>
  graphql(server, REGISTER, {
    input: { email, password: 'Registered-1', fullName: 'New Customer', langChosen: 'EN', ...differently },
  });

export const verify = (server: Server, token: string, password: string) => graphql(server, VERIFY, { token, password });

export const logInCustomer = (server: Server, email: string, password: string) =>
  graphql(server, LOGIN, { email, password });

/** A customer who has registered, verified the address, and signed in. */
export async function newCustomer(server: Server, password = 'Chosen-pass-1', differently: object = {}) {
  const email = newAddress();
  await register(server, email, differently);
  const { data } = await verify(server, tokenIn(await linkFor(server, email, '/account/verify')), password);
  const { token, customer } = data.verifyCustomer as { token: string; customer: { custId: string } };
  expect(token).toEqual(expect.any(String));
  return { email, password, custId: customer.custId, token, headers: { authorization: `Bearer ${token}` } };
}
