import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { decodeJwt } from 'jose';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fill, good, looks, openBrowser, openPage, ways } from '../support/browsers/browser.ts';
import { closeServer, startServer } from '../support/servers/hosted-server.ts';
import { startServerProcess, stopServerProcess, type Server } from '../support/servers/server-process.ts';
import { DEMO_PASSWORD, send } from '../support/fixtures/people.ts';
import { noBrowser, skipped } from '../support/visit.ts';

const root = join(import.meta.dirname, '../..');

const newKeys = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
  };
};
const seller = newKeys();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-license-'));
  await writeFile(join(folder, 'private.pem'), seller.privateKey, { mode: 0o600 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** `pnpm license:issue`, without the detour over pnpm. */
async function issue(...args: string[]): Promise<string> {
  const command = ['server/src/cli/main.ts', 'license', 'issue', ...args];
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/node'), command, {
    cwd: root,
    env: { PATH: process.env['PATH'], DATA_DIR: folder },
  });
  return stdout.trim();
}

/** A license of the seller for a company. */
const licenseFor = (companyCode: string) =>
  issue('--company-code', companyCode, '--days', '30', '--key', join(folder, 'private.pem'));

/** The answers to a login with the right and with a wrong password. */
async function loginsAt(foyer: Server) {
  const login = (password: string) =>
    send(foyer, 'POST', '/api/v1/login', {
      body: { username: 'admin@foyer.test', password, company_code: 'platform' },
    });
  return [await login(DEMO_PASSWORD), await login('wrong')].map(({ status, json, cookies }) => ({
    status,
    code: json.code,
    cookies: cookies.length,
  }));
}

const blocked = { status: 503, code: 'LICENSE_EXPIRED', cookies: 0 };

describe('pnpm license:issue', () => {
  it('writes a key for a company, signed with EdDSA', async () => {
    const claims = decodeJwt(await licenseFor('ACME'));
    expect(claims).toMatchObject({ company_code: 'ACME', hosting_type: 'on_prem' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(30 * 86_400);
  });

  it.each([
    [['--days', '30'], 2, /--company-code is needed/],
    [['--company-code', 'ACME', '--days', 'many'], 2, /--days must be a number/],
    [['--company-code', 'ACME', '--days', '30'], 1, /no signing key/],
  ])('%j exits with %i and names what is missing', async (args, code, complaint) => {
    await expect(issue(...args)).rejects.toMatchObject({ code, stderr: expect.stringMatching(complaint) });
  });
});

/** How a server is started, and how it is ended. */
const hosted = [startServer, closeServer] as const;
const inProcess = [startServerProcess, stopServerProcess] as const;

/** Starts a server with this license for a describe, and ends it after. */
function withServer<Started>(
  [start, end]: readonly [
    (env: Record<string, string>) => Promise<Started>,
    (server: Started | undefined) => Promise<void>,
  ],
  licenseKey: () => Promise<string>,
  publicKey: string,
) {
  const opened: { server?: Started; key?: string } = {};
  beforeAll(async () => {
    opened.key = await licenseKey();
    opened.server = await start({
      LOGIN_FLOOR_MS: '50',
      LICENSE_KEY: opened.key,
      LICENSE_PUBLIC_KEY: publicKey,
    });
  });
  afterAll(() => end(opened.server));
  return () => {
    if (!opened.server) throw new Error('the server has not been started');
    return { server: opened.server, key: opened.key ?? '' };
  };
}

describe('a server with a license for it, in any case', () => {
  const begun = withServer(hosted, () => licenseFor('Platform'), seller.publicKey);

  it('allows logins', async () => {
    expect((await loginsAt(begun().server)).map(({ status }) => status)).toEqual([200, 401]);
  });
});

describe('a server with a license for another company code', () => {
  const begun = withServer(hosted, () => licenseFor('ANOTHER'), seller.publicKey);

  it('rule 2: refuses every login', async () => {
    const { server } = begun();
    expect(await loginsAt(server)).toEqual([blocked, blocked]);
    await expect.poll(async () => (await send(server, 'GET', '/health/ready')).status).toBe(200);
  });
});

describe('a server with a license that somebody else has signed', () => {
  const begun = withServer(inProcess, () => licenseFor('PLATFORM'), newKeys().publicKey);
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = noBrowser ? undefined : await openBrowser();
  });
  afterAll(() => browser?.close());

  it('refuses every login, and logs only the reason', async () => {
    const { server, key } = begun();
    expect(await loginsAt(server)).toEqual([blocked, blocked]);
    expect(server.printed()).toContain('no valid license');
    expect(server.printed()).not.toContain(key);
  });

  it.skipIf(noBrowser).each(ways)(
    `says so on the page of the login, on %s${skipped}`,
    async (_way, options: BrowserContextOptions) => {
      const page = await openPage(browser, begun().server, '/login', options);
      await fill(page, { companyCode: 'ACME', username: 'orgadmin@acme.test', password: DEMO_PASSWORD });
      expect(await page.textContent('[role=alert]')).toBe(
        'The license of this installation has expired. Ask whoever runs it.',
      );
      expect(await looks(page, options)).toEqual(good);
    },
  );
});
