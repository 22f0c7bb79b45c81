import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeHouse, openHouse } from '../support/house.ts';
import { DEMO_PASSWORD, send } from '../support/people.ts';

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
  const command = ['standalone/src/cli/main.ts', 'license', 'issue', ...args];
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/node'), command, {
    cwd: root,
    env: { PATH: process.env['PATH'], DATA_DIR: folder },
  });
  return stdout.trim();
}

/** The license of the seller for a company. */
const licenseFor = (companyCode: string) =>
  issue('--company-code', companyCode, '--days', '30', '--key', join(folder, 'private.pem'));

/** What a login with a good and one with a wrong password are answered in a house with this license. */
async function loginsUnder(env: Record<string, string>) {
  const house = await openHouse({ LOGIN_FLOOR_MS: '50', ...env });
  const login = (password: string) =>
    send(house, 'POST', '/api/v1/login', {
      body: { username: 'admin@foyer.test', password, company_code: 'platform' },
    });
  const answers = [await login(DEMO_PASSWORD), await login('wrong')].map(({ status, json, cookies }) => ({
    status,
    code: json.code,
    cookies: cookies.length,
  }));
  const health = (await send(house, 'GET', '/health/ready')).status;
  const printed = house.printed();
  await closeHouse(house);
  return { answers, health, printed };
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
  ])('%j ends with %i and says what is missing', async (args, code, complaint) => {
    await expect(issue(...args)).rejects.toMatchObject({ code, stderr: expect.stringMatching(complaint) });
  });
});

describe('the license guard of a house', () => {
  it('lets people in with a license that was issued for it, in any case', async () => {
    const { answers } = await loginsUnder({
      LICENSE_KEY: await licenseFor('Platform'),
      LICENSE_PUBLIC_KEY: seller.publicKey,
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  }, 180_000);

  it('rule 2: refuses every login when the license is for another company code', async () => {
    const { answers, health } = await loginsUnder({
      LICENSE_KEY: await licenseFor('ANOTHER'),
      LICENSE_PUBLIC_KEY: seller.publicKey,
    });
    expect(answers).toEqual([blocked, blocked]);
    expect(health).toBe(200);
  }, 180_000);

  it('refuses every login when somebody else has signed the license, and says nothing of it to the log but why', async () => {
    const key = await licenseFor('PLATFORM');
    const { answers, printed } = await loginsUnder({ LICENSE_KEY: key, LICENSE_PUBLIC_KEY: newKeys().publicKey });
    expect(answers).toEqual([blocked, blocked]);
    expect(printed).toContain('no valid license');
    expect(printed).not.toContain(key);
  }, 180_000);
});
