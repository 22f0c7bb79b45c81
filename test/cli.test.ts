import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '@foyer/prisma/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { formOf, goToTheBank, placeOrder, submit } from './support/servers/bank.ts';
import { node, operatorShell, root } from './support/servers/operator-shell.ts';
import { stopServerProcess, startServerProcess, type ServerProcess } from './support/servers/server-process.ts';
import { exitOf } from './support/servers/spawned.ts';
import type { Json } from './support/json.ts';
import { ended, mediaOf, processed } from './support/fixtures/media.ts';
import { graphql, send, logIn, logInCustomer } from './support/fixtures/people.ts';
import { until } from './support/until.ts';

const ACME = '0a0c0000-0000-4000-8000-000000000001';

let server: ServerProcess;
beforeAll(async () => {
  // Queries the gateway by itself only long after this test.
  server = await startServerProcess({ LOGIN_FLOOR_MS: '50', PAYMENT_REQUERY_SECONDS: '3600' });
});
afterAll(() => stopServerProcess(server));

const { ours, spawned, foyer, json } = operatorShell(() => server.dataDir);

/** The entries of the operator in the audit log. */
async function operatorsEntry(action: string): Promise<Json> {
  const { out } = await foyer(['audit', 'tail', '--json', '--lines', '1', '--action', action]);
  return JSON.parse(out);
}

describe('pnpm foyer', () => {
  it.each([
    ['0 when it is done', ['--help'], {}, 0, 'Usage: foyer', ''],
    ['1 when it failed', ['migrate'], { PORT: 'first' }, 1, '', 'foyer: PORT: must be a port number'],
    ['2 for a wrong use', ['open-sesame'], {}, 2, '', 'unknown command'],
  ])('exits with %s, and prints the reason to standard error', async (_when, args, env, code, out, err) => {
    const ended = await spawned(args, env);
    expect(ended).toEqual({ code, out: expect.stringContaining(out), err: expect.stringContaining(err) });
  });
});

describe('a database that can not be opened', () => {
  const DATABASE_URL = 'postgresql://foyer:Guess-1@127.0.0.1:1/foyer';
  const reason = 'nothing accepts connections at 127.0.0.1:1';

  it('is one line of every command, and the finding of doctor', async () => {
    for (const command of [['migrate'], ['seed'], ['reconcile']])
      expect(await foyer(command, { DATABASE_URL })).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(new RegExp(`(^|\\n)foyer: DATABASE_URL: ${reason}\\n$`)),
      });
    const { out } = await foyer(['doctor', '--json'], { DATABASE_URL });
    const { findings } = JSON.parse(out) as { findings: Json[] };
    expect(findings.find(({ part }) => part === 'PostgreSQL')).toMatchObject({ state: 'failed', found: reason });
    expect(out).not.toContain('Guess-1');
  });
});

describe('a running server', () => {
  it('is migrated and seeded already: a repetition changes nothing, and is in the audit log', async () => {
    expect(await json('migrate')).toEqual({ applied: [] });
    expect((await foyer(['migrate'])).out).toBe('up to date\n');

    expect(await json('seed')).toEqual({ seeded: true, demo: true });
    expect(await operatorsEntry('house.seeded')).toMatchObject({ actorId: 'operator', details: { demo: true } });
    await logIn(server, 'orgadmin@acme.test', 'ACME');
  });

  it('issues a license with the key of the server', async () => {
    const issued = await json('license', 'issue', '--company-code', 'ACME', '--days', '30');
    expect(issued).toMatchObject({ companyCode: 'ACME', hostingType: 'on_prem' });
    expect(issued.license).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('lists in a dry run what reconcile would do', async () => {
    expect(await json('reconcile', '--dry-run')).toMatchObject({ dryRun: true, created: [], missing: [] });
    expect((await foyer(['reconcile', '--dry-run'])).out).toContain('nothing was changed (dry run)');
  });

  it('unlocks a user who has failed to log in too often', async () => {
    const login = (password: string) =>
      send(server, 'POST', '/api/v1/login', {
        body: { username: 'orgadmin@acme.test', password, company_code: 'acme' },
      });
    for (let failures = 1; failures <= 10; failures++) expect((await login(`wrong-${failures}`)).status).toBe(401);
    expect((await login('Foyer-demo-1')).status).toBe(429);

    const unlocked = await json('user', 'unlock', 'OrgAdmin@acme.test', '--company-code', 'acme');

    expect(unlocked).toMatchObject({ email: 'orgadmin@acme.test', accountState: 'active', failures: 10 });
    expect((await login('Foyer-demo-1')).status).toBe(200);
    const { headers } = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const log = `{ auditLog(organizationId: "${ACME}", action: "user.unlocked") { edges { node { actorId actor { id } targetId } } } }`;
    const { data } = await graphql(server, log, {}, headers);
    expect(data.auditLog.edges[0].node).toEqual({ actorId: 'operator', actor: null, targetId: unlocked.userId });
  });

  it('does not unlock a user that does not exist', async () => {
    const { code, err } = await foyer(['user', 'unlock', 'nobody@acme.test', '--company-code', 'ACME']);
    expect(code).toBe(1);
    expect(err).toContain('USER_NOT_FOUND');
  });

  it('adds and removes owners of the platform, and never removes the last', async () => {
    const owner = (name: string, ...args: string[]) => ['platform', 'owner', name, ...args];
    const emails = async () =>
      ((await json(...owner('list'))).owners as { email: string }[]).map(({ email }) => email).toSorted();
    const last = await foyer(owner('remove', 'admin@foyer.test', '--company-code', 'platform'));
    expect(last.code).toBe(1);
    expect(last.err).toContain('LAST_PLATFORM_OWNER');

    const added = await json(...owner('add', 'OrgAdmin@acme.test', '--company-code', ' acme '));
    expect(added).toMatchObject({ email: 'orgadmin@acme.test', companyCode: 'ACME', changed: true });
    expect(await json(...owner('add', added.userId, '--company-code', 'ACME'))).toMatchObject({ changed: false });
    expect(await operatorsEntry('platform-owner.added')).toMatchObject({ actorId: 'operator', targetId: added.userId });
    expect(await emails()).toEqual(['admin@foyer.test', 'orgadmin@acme.test']);

    await json(...owner('remove', added.userId.toUpperCase(), '--company-code', 'ACME'));
    expect(await operatorsEntry('platform-owner.removed')).toMatchObject({ targetId: added.userId });
    expect(await emails()).toEqual(['admin@foyer.test']);
  });

  it('follows the audit log of all organizations until Ctrl-C', async () => {
    const env = ours();
    const command = ['server/src/cli/main.ts', 'audit', 'tail', '--follow', '--json', '--lines', '0'];
    const child = spawn(node, command, { cwd: root, env });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));

    await until('the command to see a sign-in', async () => {
      await logIn(server, 'orgadmin@acme.test', 'ACME');
      return out.includes('session.opened');
    });
    child.kill('SIGINT');

    expect(await exitOf(child)).toBe(0);
    const ids = out
      .trimEnd()
      .split('\n')
      .map((line) => Number(JSON.parse(line).id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('processes media once more', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-cli-'));
    const file = join(folder, 'broken.mp4');
    await writeFile(file, 'this is no video');
    const { id } = await processed(server, file, { folder: 'cli' });
    await rm(folder, { recursive: true });

    expect(await json('media', 'retry', '--failed')).toEqual([{ id, run: 2, done: true }]);

    expect(await operatorsEntry('media.retried')).toMatchObject({ actorId: 'operator', targetId: String(id) });
    expect(await ended(server, id)).toMatchObject({ transcodingStage: 'failed' });
    const { code, out } = await foyer(['media', 'retry', String(id), '999999']);
    expect(code).toBe(1);
    expect(out).toContain(`media ${id} is queued, run 3`);
    expect(out).toMatch(/^999999: /m);
    expect((await mediaOf(server, id)).id).toBe(id);
  });

  it('queries the gateway about a payment whose buyer never came back', async () => {
    const customer = await logInCustomer(server);
    const { orderNo } = await placeOrder(server, customer);
    const { address, html } = await goToTheBank(server, orderNo);
    const { action, fields } = formOf(html);
    await submit(new URL(action, address), { ...fields, outcome: 'timeout' });

    expect(await json('orders', 'requery', '--pending')).toEqual([
      { orderNo, status: 'PENDING', asked: true, done: true },
    ]);

    expect(await operatorsEntry('order.requeried')).toMatchObject({ actorId: 'operator', targetId: orderNo });
    const again = await until('the order to be paid', async () => {
      const { out } = await foyer(['orders', 'requery', orderNo]);
      return out.includes('SUCCESS') && out;
    });
    expect(again).toContain('nothing to ask');
    expect((await foyer(['orders', 'requery', 'NOT-THERE'])).code).toBe(1);
  });
});

describe('pnpm foyer doctor', () => {
  it('finds nothing wrong with a running server', async () => {
    const { out } = await foyer(['doctor', '--json']);
    const { healthy, findings } = JSON.parse(out);
    expect(findings.filter(({ state }: Json) => state === 'failed')).toEqual([]);
    expect(healthy).toBe(true);
    const parts = findings.map(({ part }: Json) => part);
    expect(parts).toEqual(
      expect.arrayContaining(['PostgreSQL', 'migrations', 'connections', 'identity provider', 'payment gateway']),
    );
    expect(parts).toEqual(
      expect.arrayContaining([
        'mail',
        'media store',
        'printed receipts',
        'ffmpeg',
        'ffprobe',
        'soffice',
        'disk',
        'PUBLIC_URL',
        'license',
      ]),
    );
    expect(findings.find(({ part }: Json) => part === 'streamer Embedded streamer')).toMatchObject({ state: 'ok' });
  });

  it('names each broken part, what is wrong with it, and how to repair it', async () => {
    const port = await freePort();
    const { code, out } = await foyer(['doctor'], {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      PAYMENT_GATEWAY_SECRET: 'A'.repeat(43),
      IDP_PAT: 'not-a-token',
      DATABASE_URL: 'postgresql://foyer@127.0.0.1:1/foyer',
      PUBLIC_URL: 'http://localhost/foyer/',
      RECEIPTS_DIR: '/dev/null/receipts',
    });

    expect(code).toBe(1);
    expect(out).toMatch(new RegExp(`FAILED +mail +127\\.0\\.0\\.1:${port} does not greet us: .*ECONNREFUSED`));
    expect(out).toContain('→ start the mail server, or mend SMTP_URL');
    expect(out).toMatch(
      /warning +printed receipts +\/dev\/null\/receipts can not be read and written: .*\n +→ .*RECEIPTS_DIR/,
    );
    const cures = [...out.matchAll(/^FAILED +(\S+(?: \S+)*) {2}.*\n +→ (.*)$/gm)].map(([, part, cure]) => [part, cure]);
    expect(Object.fromEntries(cures)).toEqual({
      mail: expect.stringContaining('SMTP_URL'),
      'payment gateway': expect.stringContaining('PAYMENT_GATEWAY_SECRET'),
      'identity provider': expect.stringContaining('IDP_PAT'),
      PostgreSQL: expect.stringContaining('DATABASE_URL'),
      PUBLIC_URL: expect.stringContaining('PUBLIC_URL'),
    });
    expect(out).toContain('5 broken');
  });

  it('names a variable with which no server starts, to scripts too', async () => {
    const { out } = await foyer(['doctor', '--json'], { LICENSE_PUBLIC_KEY: 'none' });
    const { healthy, findings } = JSON.parse(out);
    expect(healthy).toBe(false);
    expect(findings.find(({ part }: Json) => part === 'configuration of identity')).toMatchObject({
      state: 'failed',
      cure: expect.stringContaining('docs/operations.md'),
    });
  });
});

describe('a stopped server', () => {
  it('is opened for the duration of a command, and left as it was', async () => {
    await server.stop();

    expect(await json('audit', 'tail', '--lines', '1', '--action', 'media.retried')).toMatchObject({
      actorId: 'operator',
    });
    const { code, out } = await foyer(['doctor', '--json']);
    expect(JSON.parse(out).findings.filter(({ state }: Json) => state === 'failed')).toEqual([]);
    expect(code).toBe(0);

    server = await server.restart();
    await logIn(server, 'orgadmin@acme.test', 'ACME');
  });
});
