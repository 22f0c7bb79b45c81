import { z } from 'zod';

import { Done, done } from '../answers/envelope.ts';
import {
  ChangePasswordDocument,
  ConfirmPasswordResetDocument,
  RequestPasswordResetDocument,
} from '../generated/operations.ts';
import { route } from '../route.ts';

const password = z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters');

/** Spec 1, "Invite, redeem and reset flows"; paths that the documents don't show follow the decisions. */
export const passwords = [
  route('POST', '/api/v1/protected/password', {
    document: ChangePasswordDocument,
    input: z.object({
      body: z.object({ current_password: z.string().max(200).nullish(), new_password: password }),
    }),
    variables: ({ body }) => ({
      input: { currentPassword: body.current_password ?? null, newPassword: body.new_password },
    }),
    answer: Done,
    reply: () => done,
  }),

  route('POST', '/api/v1/auth/password-reset/request', {
    token: 'ignored',
    answersAlike: true,
    document: RequestPasswordResetDocument,
    input: z.object({
      body: z.object({
        email: z.string().trim().min(1, 'must not be empty').max(200),
        company_code: z.string().trim().min(1, 'must not be empty').max(100),
      }),
    }),
    variables: ({ body }) => ({ input: { email: body.email, companyCode: body.company_code } }),
    answer: Done,
    reply: () => done,
  }),

  route('POST', '/api/v1/auth/password-reset/confirm', {
    token: 'ignored',
    document: ConfirmPasswordResetDocument,
    input: z.object({ body: z.object({ token: z.string().min(1, 'must not be empty').max(200), password }) }),
    variables: ({ body }) => ({ input: body }),
    answer: Done,
    reply: () => done,
  }),
];
