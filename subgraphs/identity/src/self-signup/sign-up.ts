import { networkOf } from '@foyer/shared/http/addresses/address';
import type { Id } from '@foyer/shared/ids';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { emailInput } from '../at-provider/inputs.ts';
import { audit } from '../audit/write-audit.ts';
import type { Context } from '../context.ts';
import { emailTaken, companyCodeTaken } from '../tenancy/refusals.ts';
import { slugOf } from '../tenancy/slug.ts';
import { isWebAddress } from '../tenancy/web-address.ts';
import { emailIsTaken } from '../tenancy/taken-names.ts';
import { companyCodeText, text } from './application.ts';
import { checkSignupCode, useSignupCode } from './signup-code.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'limits' | 'identityProvider' | 'client' | 'requestId'>;

const perAddress = { name: 'self-signup:ip', most: 20, windowSeconds: 15 * 60 };

const Input = z.object({
  organizationName: text(200),
  companyCode: companyCodeText,
  email: emailInput.toLowerCase(),
  code: z.string().regex(/^\d{6}$/, 'must be six digits'),
  username: text(200).nullish(),
  givenName: text(200),
  familyName: text(200),
  phone: text(50).nullish(),
  legalName: text(200).nullish(),
  website: z.string().max(500, 'is too long').refine(isWebAddress, 'must be a web address').nullish(),
});

type Application = z.output<typeof Input>;

/** An application that awaits approval. */
export interface SelfSignup {
  organizationId: Id;
  name: string;
  companyCode: string;
  status: 'PENDING';
}

/**
 * Applies for an organization. Only somebody who has proved the address learns whether a name or an address is taken.
 *
 * @throws {Refusal} `VALIDATION_FAILED`, `SIGNUP_CODE_INVALID`, `EMAIL_TAKEN`, `COMPANY_CODE_TAKEN`, `RATE_LIMITED`
 */
export async function signUp(needs: Needs, input: unknown): Promise<SelfSignup> {
  const application = readInput(Input, input);
  // A service acts for many people from one address; the tries of a code are counted in any case.
  if (needs.viewer?.kind !== 'service') await needs.limits.take(perAddress, networkOf(needs.client.address));
  const codeId = await checkSignupCode(needs, application.email, application.code);
  if (await emailIsTaken(needs, application.email)) throw emailTaken();
  return record(needs, codeId, application);
}

async function record(needs: Needs, codeId: Id, application: Application): Promise<SelfSignup> {
  const { organizationName: name, companyCode, email, username, phone, legalName, website } = application;
  return needs.db.$transaction(async (tx) => {
    await useSignupCode(tx, codeId, needs.clock.now());
    const [account] = await tx.authOrganization.createManyAndReturn({
      data: {
        name,
        slug: slugOf(name),
        companyCode,
        status: 'pending',
        applicantState: 'pending',
        applicantUsername: username ?? email,
        applicantEmail: email,
        applicantGivenName: application.givenName,
        applicantFamilyName: application.familyName,
        applicantPhone: phone ?? null,
        applicantLanguage: needs.client.language ?? null,
      },
      skipDuplicates: true,
    });
    if (!account) throw companyCodeTaken();
    const organizationId = account.id;
    const facts = { legalName: legalName ?? null, website: website ?? null };
    await tx.organization.create({ data: { id: organizationId, name, status: 'pending', ...facts } });
    await audit(tx, {
      organizationId,
      userId: null,
      action: 'organization.applied',
      target: { kind: 'organization', id: organizationId },
      ip: needs.client.address,
      requestId: needs.requestId,
    });
    return { organizationId, name, companyCode, status: 'PENDING' };
  });
}
