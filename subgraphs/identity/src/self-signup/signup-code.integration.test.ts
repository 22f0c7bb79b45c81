import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const document = `mutation ($email: String!) { requestSignupCode(email: $email) { expiresIn } }`;
const request = (email: string) => identity.ask(document, { email });
const codesOf = (email: string) => identity.db.emailVerificationCode.count({ where: { email } });

it('requests that sent no code use nothing up of the three codes that an address gets', async () => {
  const email = 'kiosk@applicant.test';
  await identity.db.$executeRaw`
    ALTER TABLE tenancy.email_verification_codes ADD CONSTRAINT no_more CHECK (false) NOT VALID`;
  for (let count = 0; count < 3; count++) expect((await request(email)).data).toBeNull();
  await identity.db.$executeRaw`ALTER TABLE tenancy.email_verification_codes DROP CONSTRAINT no_more`;

  for (let count = 0; count < 4; count++) expect((await request(email)).data).not.toBeNull();

  expect(await codesOf(email)).toBe(3);
});
