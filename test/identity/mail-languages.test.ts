import { beforeAll, expect, describe, it } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send, type logIn } from '../support/fixtures/people.ts';
import { acmeAdmin, ask } from '../support/fixtures/storefront.ts';
import { submit } from '../support/servers/bank.ts';
import { linkFor, mailsTo } from '../support/servers/inbox.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { until } from '../support/until.ts';

let server: SharedServer;
let admin: Awaited<ReturnType<typeof logIn>>;
let organization: OrganizationFixture;

beforeAll(async () => {
  server = await sharedServer();
  admin = await acmeAdmin(server);
  organization = await createOrganization(server);
});

const subjectTo = (address: string) =>
  until(`a mail to ${address}`, async () => (await mailsTo(server, address)).at(-1)?.subject);

describe('a mail of identity', () => {
  it('is in the language of the page on which somebody has forgotten their password', async () => {
    const email = `forgetful@${organization.companyCode.toLowerCase()}.test`;
    await organization.join('forgetful');
    const { companyCode } = organization;

    const { status } = await submit(new URL('/login/forgot?lang=cn', server.url), { email, companyCode });

    expect([status, await subjectTo(email)]).toEqual([200, '选择新密码']);
  });

  it('is in the language of the browser, and an invitation and its page name the company code', async () => {
    const email = `jemputan-${organization.companyCode.toLowerCase()}@acme.test`;
    const invite = `mutation ($id: ID!, $input: InviteUserInput!) { inviteUser(organizationId: $id, input: $input) { id } }`;
    const { organization: acme } = (await ask(server, admin, '{ me { user { organization { id } } } }')).user;
    const input = { username: email, email, givenName: 'Mei', familyName: 'Lim' };
    const headers = { ...admin.headers, 'accept-language': 'ms-MY,ms;q=0.9,en;q=0.5' };

    await ask(server, { headers }, invite, { id: acme.id, input });

    expect(await subjectTo(email)).toMatch(/^Anda dijemput ke /);
    const link = await linkFor(server, email, '/auth/magic-link');
    expect((await mailsTo(server, email))[0]?.text).toContain('Kod syarikat: ACME');
    const page = await send(
      server,
      'GET',
      `${new URL(link, server.url).pathname}${new URL(link, server.url).search}&lang=en`,
    );
    expect(page.text).toContain(`use the company code ACME and your user name ${email}`);
  });
});
