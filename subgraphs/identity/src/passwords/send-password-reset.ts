import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';
import { companyCodeOf } from '@foyer/shared/company-code';
import { languages } from '@foyer/shared/http/language';
import { defineJob, worker } from '@foyer/shared/jobs/job';
import { literally } from '@foyer/shared/literal-pattern';
import { z } from 'zod';

import { audit } from '../audit/write-audit.ts';
import type { Services } from '../context.ts';
import { profileFor } from '../email-profiles/delivery.ts';
import { ifAllowed } from '../limits/if-allowed.ts';
import { enqueueMail } from '../mails/send-mail.ts';
import { notifyStaff } from '../staff-notifications/notify-staff.ts';
import { newLinkToken } from '../tokens/link-token.ts';
import { personOf } from '../tenancy/person.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'limits' | 'sealer' | 'settings'>;

/** Counts mails to one account; a request that finds no account is not counted. */
const perAccount = { name: 'password-reset:account', most: 3, windowSeconds: 15 * 60 };

/** How long a link is valid. */
export const RESET_SECONDS = 3_600;

export const sendPasswordResetJob = defineJob({
  name: 'identity.send-password-reset',
  data: z.object({ email: z.string(), companyCode: z.string(), language: z.enum(languages).optional() }),
  retries: 5,
  retryDelaySeconds: 2,
});

export const passwordResetWorker = (needs: Needs) =>
  worker(sendPasswordResetJob, (request) => sendPasswordReset(needs, request));

type Request = z.output<typeof sendPasswordResetJob.data>;
type Account = AuthUser & { org: AuthOrganization };

/**
 * Sends a link to the people of an organization with this address who may log in: usually one, or nobody. An account
 * gets at most three within a quarter of an hour.
 */
async function sendPasswordReset(needs: Needs, { email, companyCode, language }: Request): Promise<void> {
  const users = await needs.db.authUser.findMany({
    where: {
      email: { equals: literally(email), mode: 'insensitive' },
      accountState: 'active',
      org: { companyCode: companyCodeOf(companyCode), status: 'active' },
    },
    include: { org: true },
  });
  // The queue retries what fails; an account is counted once.
  for (const user of users) await ifAllowed(needs.limits, perAccount, user.id, () => sendLink(needs, user, language));
}

async function sendLink(needs: Needs, user: Account, language: Request['language']): Promise<void> {
  const createdAt = needs.clock.now();
  const expiresAt = new Date(createdAt.getTime() + RESET_SECONDS * 1_000);
  const { token, hash: tokenHash } = newLinkToken();
  const link = { tokenHash, createdAt, expiresAt, usedAt: null };
  const { id: userId, orgId: organizationId } = user;

  await needs.db.$transaction(async (tx) => {
    await tx.passwordReset.upsert({ where: { userId }, create: { userId, ...link }, update: link });
    const recorded = await tx.user.findUnique({ where: { id: userId } });
    await enqueueMail(needs, tx, {
      to: user.email,
      profileId: await profileFor(tx, organizationId, 'password_reset'),
      until: expiresAt,
      language,
      content: {
        kind: 'password-reset',
        name: recorded ? personOf(recorded).name : user.username,
        organization: user.org.name,
        url: `${needs.settings.frontendUrl}/reset-password?token=${token}`,
        minutes: RESET_SECONDS / 60,
      },
    });
    await notifyStaff(needs, tx, {
      type: 'Password reset',
      title: 'Password reset',
      message: `A link to choose a new password was sent to ${recorded ? personOf(recorded).name : user.username}.`,
      organizationId,
    });
    await audit(tx, {
      organizationId,
      userId: null,
      action: 'password-reset.sent',
      target: { kind: 'user', id: userId },
    });
  });
}
