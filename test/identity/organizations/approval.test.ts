import { obstruct, type ObstructedProvider } from '@foyer/identity/testing/obstructed-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startProviderFixture, type ProviderFixture } from '../../support/servers/provider-fixture.ts';
import { stopServerProcess, startServerProcess, type ServerProcess } from '../../support/servers/server-process.ts';
import { mailsTo } from '../../support/servers/inbox.ts';
import { send, logIn } from '../../support/fixtures/people.ts';
import { until } from '../../support/until.ts';

const email = 'kiosk@applicant.test';

let provider: ProviderFixture;
let line: ObstructedProvider;
let server: ServerProcess;

beforeAll(async () => {
  provider = await startProviderFixture();
  line = await obstruct(provider.url);
  server = await startServerProcess({ ...provider.env, LOGIN_FLOOR_MS: '50', IDP_URL: line.url });
});

afterAll(async () => {
  await stopServerProcess(server);
  await line.stop();
  await provider.stop();
});

/** The newest mail to the applicant with this text. */
const found = (what: RegExp) =>
  until(`a mail with ${what}`, async () => {
    const mails = await mailsTo(server, email);
    return mails.map(({ text }) => what.exec(text)?.[1]).findLast(Boolean);
  });

it('an approval whose process was killed after the provider’s part is completed by the next one', async () => {
  await send(server, 'POST', '/api/v1/auth/self-signup/code', { body: { email } });
  const code = await found(/\b(\d{6})\b/);
  const { json } = await send(server, 'POST', '/api/v1/auth/self-signup', {
    body: { organization_name: 'Kiosk', company_code: 'KIOSK', email, code, given_name: 'Siti', family_name: 'Aminah' },
  });
  const path = `/api/v1/tenancy/organizations/${json.organization.id}/status`;
  const approve = async () => {
    const { headers } = await logIn(server, 'admin@foyer.test', 'PLATFORM');
    return send(server, 'PUT', path, { headers, body: { status: 'active' } });
  };

  const waiting = line.hold('AddOrganization');
  const cutOff = approve().catch(() => null);
  await waiting.done;
  await server.kill();
  waiting.cut();
  expect(await cutOff).toBeNull();
  server = await server.restart();

  expect((await approve()).status).toBe(200);
  const password = await found(/password:?\s+(\S{12,})/i);
  await logIn(server, email, 'KIOSK', password);
  expect((await mailsTo(server, email)).filter(({ subject }) => subject.includes('is approved'))).toHaveLength(1);
});
