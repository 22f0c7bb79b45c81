import { beforeAll, describe, expect, it } from 'vitest';

import { mailsTo } from '../../support/servers/inbox.ts';
import { graphql, send, logIn } from '../../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';
import { FRONTEND_URL } from '../../support/servers/shared-settings.ts';
import { until } from '../../support/until.ts';

/** A server with rate limits, where a temporary password must be changed. */
let server: SharedServer;
let owner: Awaited<ReturnType<typeof logIn>>;

beforeAll(async () => {
  server = await sharedServer('strict');
  owner = await logIn(server, 'admin@foyer.test', 'PLATFORM');
});

/** Every applicant has a network address of their own, because limits count by address. */
const addresses = new Map<string, string>();
function addressOf(name: string): string {
  if (!addresses.has(name)) addresses.set(name, `203.0.113.${addresses.size + 1}`);
  return addresses.get(name) ?? '';
}

const askForCode = (email: string, address = addressOf(email.split('@')[0] ?? '')) =>
  send(server, 'POST', '/api/v1/auth/self-signup/code', {
    headers: { 'x-forwarded-for': address },
    body: { email },
  });
const apply = (name: string, code: string, changes: object = {}, address = addressOf(name), language = 'en') =>
  send(server, 'POST', '/api/v1/auth/self-signup', {
    headers: { 'x-forwarded-for': address, 'accept-language': language },
    body: {
      organization_name: `The ${name} Company`,
      company_code: name,
      email: `${name}@applicant.test`,
      code,
      given_name: 'Siti',
      family_name: 'Aminah',
      ...changes,
    },
  });
const setStatus = (organizationId: string, status: string) =>
  send(server, 'PUT', `/api/v1/tenancy/organizations/${organizationId}/status`, {
    headers: owner.headers,
    body: { status },
  });
const login = (username: string, password: string, company_code: string) =>
  send(server, 'POST', '/api/v1/login', {
    headers: { 'service-platform': 'mobile' },
    body: { username, password, company_code },
  });

/** The code in the newest mail to an applicant; there must be so many. */
async function codeFor(name: string, count = 1): Promise<string> {
  const mails = await until(`code ${count} for ${name}`, async () => {
    const found = await mailsTo(server, `${name}@applicant.test`);
    return found.length >= count && found;
  });
  return /\b(\d{6})\b/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

async function provedBy(name: string): Promise<string> {
  expect((await askForCode(`${name}@applicant.test`)).status).toBe(200);
  return codeFor(name);
}

/** A wrong code. */
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

describe('applying for an organization', () => {
  it('proves the address with six digits, and waits for approval', async () => {
    const answer = await askForCode('kiosk@applicant.test');
    expect(answer.json).toEqual({ success: true, expires_in: 600 });
    const code = await codeFor('kiosk');
    expect(code).toMatch(/^\d{6}$/);

    const { status, json } = await apply('kiosk', code);

    expect(status).toBe(201);
    expect(json).toEqual({
      success: true,
      organization: {
        id: expect.any(String),
        name: 'The kiosk Company',
        company_code: 'KIOSK',
        status: 'pending',
      },
    });
    expect((await login('kiosk@applicant.test', 'whatever-Is-1', 'KIOSK')).json.code).toBe('INVALID_CREDENTIALS');
    expect((await send(server, 'GET', '/api/v1/auth/company-codes/kiosk')).status).toBe(404);
  });

  it('gives the same answer to a wrong code, a used code, and an address that never had one', async () => {
    const code = await provedBy('same');
    const refusals = [await apply('same', wrong(code)), await apply('never', code)];
    expect((await apply('same', code)).status).toBe(201);
    refusals.push(await apply('same', code, { company_code: 'same-again' }));
    for (const { status, json } of refusals) expect([status, json.code]).toEqual([400, 'SIGNUP_CODE_INVALID']);
    expect(new Set(refusals.map(({ json }) => json.message)).size).toBe(1);
  });

  it('refuses the right code after five wrong ones', async () => {
    const code = await provedBy('guesser');
    for (let guess = 1; guess <= 5; guess++) expect((await apply('guesser', wrong(code, guess))).status).toBe(400);
    const { status, json } = await apply('guesser', code);
    expect([status, json.code]).toEqual([400, 'SIGNUP_CODE_INVALID']);
  });

  it('gives twenty guesses at the same time no more than five tries', async () => {
    const code = await provedBy('parallel');
    const guesses = Array.from({ length: 20 }, (_, guess) =>
      apply('parallel', wrong(code, guess + 1), {}, `198.51.100.${guess + 20}`),
    );
    await Promise.all(guesses);
    expect((await apply('parallel', code)).json.code).toBe('SIGNUP_CODE_INVALID');
  });

  it('uses a code for exactly one of five applications at the same time', async () => {
    const code = await provedBy('hasty');
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((number) => apply('hasty', code, { company_code: `hasty-${number}` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400, 400]);
  });

  it('counts only the newest code', async () => {
    const first = await provedBy('newest');
    await askForCode('newest@applicant.test');
    const second = await codeFor('newest', 2);
    expect((await apply('newest', first)).status).toBe(400);
    expect((await apply('newest', second)).status).toBe(201);
  });

  it('is refused with 409 for a company code that is taken, in any case, and the code stays valid', async () => {
    const code = await provedBy('second');
    const refused = await apply('second', code, { company_code: 'aCmE' });
    expect([refused.status, refused.json.code]).toEqual([409, 'COMPANY_CODE_TAKEN']);
    expect((await apply('second', code)).status).toBe(201);
  });

  it('mails three codes in a quarter of an hour, and answers 200 the fourth time', async () => {
    for (let time = 0; time < 4; time++) expect((await askForCode('eager@applicant.test')).status).toBe(200);
    await provedBy('afterwards'); // a mail that comes after all that are on their way
    expect(await mailsTo(server, 'eager@applicant.test')).toHaveLength(3);
  });

  it('answers 429 to the twenty-first request for a code from one address', async () => {
    const statuses = [];
    for (let time = 0; time < 21; time++)
      statuses.push((await askForCode(`many${time}@applicant.test`, '198.51.100.99')).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  });

  it('is refused with 400 for what is malformed', async () => {
    for (const changes of [{ company_code: 'a b' }, { code: '12345' }, { email: 'x' }, { website: 'javascript:1' }])
      expect((await apply('malformed', '123456', changes)).status).toBe(400);
  });
});

describe('approving an application', () => {
  it('creates the organization and its administrator, and mails a temporary password that must be changed', async () => {
    const code = await provedBy('museum');
    const { json: application } = await apply('museum', code, { username: 'curator' });

    expect((await setStatus(application.organization.id, 'active')).status).toBe(200);

    const mail = await until('the temporary password', async () =>
      (await mailsTo(server, 'museum@applicant.test')).find(({ subject }) => subject.includes('is approved')),
    );
    expect(mail.html).toContain(`href="${FRONTEND_URL}/login"`);
    const password = /Temporary password: (\S+)/.exec(mail.text)?.[1] ?? '';
    expect(await server.printed()).not.toContain(password);
    const { status, json } = await login('curator', password, 'museum');
    expect([status, json.password_change_required]).toEqual([200, true]);

    const headers = { authorization: `Bearer ${json.access_token}` };
    const me = () => send(server, 'GET', '/api/v1/identity/users/me', { headers });
    const before = await me();
    expect([before.status, before.json.code]).toEqual([403, 'PASSWORD_CHANGE_REQUIRED']); // ENFORCE_PASSWORD_CHANGE
    const body = { current_password: '', new_password: 'My-Own-Secret-4' };
    expect((await send(server, 'POST', '/api/v1/protected/password', { headers, body })).status).toBe(200);
    const { json: after } = await me();
    expect([after.org.role, after.org.workspaces.map(({ name }: { name: string }) => name)]).toEqual([
      'ORG_ADMIN',
      ['Default'],
    ]);
    expect((await login('curator', 'My-Own-Secret-4', 'museum')).json.password_change_required).toBe(false);
  });

  it('shows the applicant to the platform, and mails them in the language in which they applied', async () => {
    const code = await provedBy('panggung');
    const { json } = await apply('panggung', code, { phone: '+60 3 1234' }, undefined, 'ms-MY,en;q=0.5');
    const approve = `mutation ($id: ID!) { setOrganizationStatus(input: { organizationId: $id, status: ACTIVE }) {
      application { givenName familyName email phone username state } } }`;

    const { data } = await graphql(server, approve, { id: json.organization.id }, owner.headers);

    expect(data.setOrganizationStatus.application).toEqual({
      givenName: 'Siti',
      familyName: 'Aminah',
      email: 'panggung@applicant.test',
      phone: '+60 3 1234',
      username: 'panggung@applicant.test',
      state: 'ACTIVE',
    });
    await until('the mail in Malay', async () =>
      (await mailsTo(server, 'panggung@applicant.test')).some(({ subject }) => subject.includes('telah diluluskan')),
    );
  });

  it('happens once, however many approve at the same time', async () => {
    const { json } = await apply('gallery', await provedBy('gallery'));
    const answers = await Promise.all([1, 2, 3, 4].map(() => setStatus(json.organization.id, 'active')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await provedBy('following'); // a mail that comes after all that are on their way
    const approvals = (await mailsTo(server, 'gallery@applicant.test')).filter(({ subject }) =>
      subject.includes('is approved'),
    );
    expect(approvals).toHaveLength(1);
  });

  it('leaves the application pending when the user name was taken meanwhile', async () => {
    const { json } = await apply('latecomer', await provedBy('latecomer'), { username: 'orgadmin@acme.test' });
    const { status, json: refusal } = await setStatus(json.organization.id, 'active');
    expect([status, refusal.code]).toEqual([409, 'USERNAME_TAKEN']);
    expect((await send(server, 'GET', '/api/v1/auth/company-codes/latecomer')).status).toBe(404);
  });
});

describe('looking up a company code', () => {
  it('finds an organization in any case, and shows its name', async () => {
    expect((await send(server, 'GET', '/api/v1/auth/company-codes/aCme')).json).toEqual({
      success: true,
      company: { company_code: 'ACME', name: 'Acme Attractions', on_prem_url: null },
    });
  });

  it('answers 404 to a code that nobody has, and 429 to the hundred-and-first miss', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.200' };
    const statuses = [];
    for (let guess = 0; guess < 101; guess++)
      statuses.push((await send(server, 'GET', `/api/v1/auth/company-codes/GUESS${guess}`, { headers })).status);
    expect(statuses).toEqual([...Array(100).fill(404), 429]);
  });
});
