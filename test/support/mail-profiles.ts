import { expect } from 'vitest';

import type { OrganizationFixture } from './organization.ts';

/** Who its mails are from; replies go there, too, where the operator has not allowed the domain. */
const SENDER = { from_name: 'OrganizationFixture', from_address: 'organization@acme.test' };

/** Gives an organization that was just opened a profile to invite with: without one it may invite nobody. */
export async function openMail({ ask, admin }: OrganizationFixture, usages = ['user_invite']): Promise<string> {
  const made = await ask(admin, 'POST', '/email-profiles', { name: 'Mails', ...SENDER });
  expect(made.status).toBe(201);
  const profile_id = made.json.data.id as string;
  for (const usage of usages)
    expect((await ask(admin, 'PUT', `/email-usages/${usage}`, { profile_id })).status).toBe(200);
  return profile_id;
}
