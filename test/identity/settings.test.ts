import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { stopServerProcess, startServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import { linkFor } from '../support/servers/inbox.ts';
import { send, logIn } from '../support/fixtures/people.ts';
import { openSessionStream } from '../support/session-stream.ts';
import { until } from '../support/until.ts';

const acme = '0a0c0000-0000-4000-8000-000000000001';

let foyer: ServerProcess;
/** A stream that is idle until its token expires, and the time of its end. */
let leftAlone: { expiry: number; end: Promise<{ how: string; at: number }> };

beforeAll(async () => {
  foyer = await startServerProcess({
    LOGIN_FLOOR_MS: '50',
    AUTH_JWT_ACCESS_EXPIRY: '20',
    SESSION_STREAM_HEARTBEAT_MS: '3600000', // the expiry alone ends a stream
    MAGIC_LINK_TOKEN_DURATION: '4s',
    DRAIN_MS: '600000', // longer than a test: a stream that keeps it from closing is noticed
  });
  const listener = await logIn(foyer, 'viewer@acme.test', 'ACME');
  const { ended } = await openSessionStream(foyer, listener);
  leftAlone = {
    expiry: decodeJwt(listener.access_token).exp ?? 0,
    end: ended.then((how) => ({ how, at: Date.now() / 1_000 })),
  };
});
afterAll(() => stopServerProcess(foyer));

describe('e-mail profiles', () => {
  it('exist from the start, mapped to both usages, over Foyer’s own mail server', async () => {
    const { headers } = await logIn(foyer, 'orgadmin@acme.test', 'ACME');
    const { json } = await send(foyer, 'GET', `/api/v1/tenancy/organizations/${acme}/email-profiles`, { headers });
    expect(json.data).toEqual([
      {
        id: expect.any(String),
        name: 'House',
        from_name: 'Foyer',
        from_address: 'no-reply@foyer.test',
        reply_to: null,
        server: null,
        usages: ['password_reset', 'user_invite'],
      },
    ]);
    const [{ id }] = json.data;
    const usages = await send(foyer, 'GET', `/api/v1/tenancy/organizations/${acme}/email-usages`, { headers });
    expect(usages.json.data).toEqual({ user_invite: id, password_reset: id });
  });
});

describe('a magic link after MAGIC_LINK_TOKEN_DURATION', () => {
  it('is refused as expired', async () => {
    const { headers } = await logIn(foyer, 'orgadmin@acme.test', 'ACME');
    const email = 'late@acme.test';
    await send(foyer, 'POST', `/api/v1/tenancy/organizations/${acme}/invitations`, {
      headers,
      body: { username: email, email, given_name: 'Mei', family_name: 'Lim' },
    });
    const token = new URL(await linkFor(foyer, email, '/auth/magic-link'), foyer.url).searchParams.get('token');
    const status = async () => (await send(foyer, 'GET', `/auth/magic-link/status?token=${token}`)).json.status;
    await until('the end of its time', async () => (await status()) === 'expired');

    const late = await send(foyer, 'POST', '/auth/magic-link/redeem', { body: { token } });

    expect([late.status, late.json.code]).toEqual([401, 'MAGIC_LINK_EXPIRED']);
  });
});

describe('the session stream', () => {
  it('ends when the token (AUTH_JWT_ACCESS_EXPIRY) expires', async () => {
    const { how, at } = await leftAlone.end;
    expect(how).toBe('ended');
    expect(at).toBeGreaterThan(leftAlone.expiry - 2);
  });

  it('does not keep the server from closing', async () => {
    const stream = await openSessionStream(foyer, await logIn(foyer, 'orgadmin@acme.test', 'ACME'));
    await stream.until('retry:');
    expect((await foyer.stop()).code).toBe(0);
    expect(await stream.ended).toBe('ended');
  });
});
