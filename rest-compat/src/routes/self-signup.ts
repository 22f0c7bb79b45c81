import { z } from 'zod';

import { Done, done } from '../answers/envelope.ts';
import { applicant, SelfSignup } from '../answers/organizations.ts';
import { CompanyByCodeDocument, RequestSignupCodeDocument, SelfSignupDocument } from '../generated/operations.ts';
import { present } from '../refusals.ts';
import { route } from '../route.ts';

const text = (limit: number) =>
  z.string().trim().min(1, 'must not be empty').max(limit, `must have at most ${limit} characters`);
const email = z.email('must be an e-mail address').max(200, 'must have at most 200 characters');

export const Application = z
  .object({
    organization_name: text(200),
    company_code: text(50),
    email,
    code: z.string().regex(/^\d{6}$/, 'must be six digits'),
    username: text(200).nullish(),
    given_name: text(200),
    family_name: text(200),
    phone: text(50).nullish(),
    legal_name: text(200).nullish(),
    website: text(500).nullish(),
  })
  .meta({ id: 'SelfSignupInput' });

export const application = (body: z.output<typeof Application>) => ({
  organizationName: body.organization_name,
  companyCode: body.company_code,
  email: body.email,
  code: body.code,
  username: body.username ?? null,
  givenName: body.given_name,
  familyName: body.family_name,
  phone: body.phone ?? null,
  legalName: body.legal_name ?? null,
  website: body.website ?? null,
});

/** The documents name self-signup, its codes and the company-code lookup, but no paths: these are ours. */
export const selfSignup = [
  route('GET', '/api/v1/auth/company-codes/:companyCode', {
    token: 'ignored',
    document: CompanyByCodeDocument,
    input: z.object({ params: z.object({ companyCode: text(100) }) }),
    variables: ({ params }) => params,
    answer: Done.extend({
      company: z.object({ company_code: z.string(), name: z.string(), on_prem_url: z.string().nullable() }),
    }),
    reply: ({ companyByCode }) => {
      const { companyCode, name, onPremUrl } = present(companyByCode, 'company');
      return { ...done, company: { company_code: companyCode, name, on_prem_url: onPremUrl } };
    },
  }),

  route('POST', '/api/v1/auth/self-signup/code', {
    token: 'ignored',
    document: RequestSignupCodeDocument,
    input: z.object({ body: z.object({ email }) }),
    variables: ({ body }) => body,
    answer: Done.extend({ expires_in: z.int() }),
    reply: ({ requestSignupCode }) => ({ ...done, expires_in: requestSignupCode.expiresIn }),
  }),

  route('POST', '/api/v1/auth/self-signup', {
    token: 'ignored',
    document: SelfSignupDocument,
    input: z.object({
      body: Application,
    }),
    variables: ({ body }) => ({ input: application(body) }),
    answer: SelfSignup,
    reply: ({ selfSignup }) => ({ ...done, organization: applicant(selfSignup) }),
    status: 201,
  }),
];
