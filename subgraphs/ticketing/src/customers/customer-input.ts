import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { emailAddress } from '../units/email-address.ts';
import { languageOf } from '../units/language.ts';

const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most, 'is too long')
    .regex(/^\P{Cc}*$/u, 'must not hold control characters');

const Guest = z.object({
  email: emailAddress.toLowerCase(),
  fullName: text(120).min(1, 'must not be empty'),
  contactNo: text(40)
    .nullish()
    .transform((value) => value ?? ''),
});

const newPassword = z.string().min(8, 'must have at least 8 characters').max(200, 'is too long');

const langChosen = z
  .string()
  .nullish()
  .transform((said, context) => {
    const language = languageOf(said);
    if (language) return language;
    context.addIssue({ code: 'custom', message: 'must be bm, en or cn' });
    return z.NEVER;
  });

const Registered = Guest.extend({
  password: newPassword,
  langChosen,
  identificationNo: text(40)
    .nullish()
    .transform((value) => value ?? ''),
});

/** What customers may change of their record; missing fields stay as they are. */
const Profile = z.object({
  fullName: text(120).min(1, 'must not be empty').nullish(),
  contactNo: text(40).nullish(),
  identificationNo: text(40).nullish(),
});

const WithLink = z.object({
  token: z.string().min(1, 'must not be empty').max(200, 'is too long'),
  password: newPassword,
});

const ResetRequest = z.object({
  email: z.string().trim().toLowerCase().min(1, 'must not be empty').max(320, 'is too long'),
  langChosen,
});

const PasswordChange = z.object({
  currentPassword: z.string().min(1, 'must not be empty').max(200, 'is too long'),
  newPassword,
});

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readGuest = (input: z.input<typeof Guest>) => readInput(Guest, input);

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readRegistration = (input: z.input<typeof Registered>) => readInput(Registered, input);

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readProfile = (input: z.input<typeof Profile>) => readInput(Profile, input);

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readWithLink = (input: z.input<typeof WithLink>) => readInput(WithLink, input);

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readResetRequest = (input: z.input<typeof ResetRequest>) => readInput(ResetRequest, input);

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readPasswordChange = (input: z.input<typeof PasswordChange>) => readInput(PasswordChange, input);
