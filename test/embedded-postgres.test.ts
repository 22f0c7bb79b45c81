import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { payAtTheBank, placeOrder } from './support/servers/bank.ts';
import { mailsTo } from './support/servers/inbox.ts';
import { startServerProcess, stopServerProcess, type ServerProcess } from './support/servers/server-process.ts';
import { graphql, logIn, logInCustomer, send } from './support/fixtures/people.ts';
import { follow } from './support/follow.ts';
import { until } from './support/until.ts';

/** How long a refused login is open: a server that stops waits for it. */
const FLOOR_MS = '15000';

let server: ServerProcess;
beforeAll(async () => {
  // A process group of its own, as a shell gives one to each command: Ctrl-C goes to all of it.
  server = await startServerProcess({ LOGIN_FLOOR_MS: FLOOR_MS, DRAIN_MS: '60000' }, undefined, ['setsid']);
});
afterAll(() => stopServerProcess(server));

const ctrlC = () => process.kill(-server.pid, 'SIGINT');

/** The process id of PostgreSQL, while it runs. */
async function postgres(): Promise<number | undefined> {
  const lock = await readFile(join(server.dataDir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(lock, 10);
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes(server.dataDir) ? pid : undefined;
}

/** Kills PostgreSQL, and again whenever it is back, until a request has met it dead. Returns the answer. */
async function killPostgres(ask: () => ReturnType<typeof send>) {
  return until('an answer other than 200', async () => {
    const pid = await postgres();
    if (pid) process.kill(pid, 'SIGKILL');
    const answer = await ask();
    return answer.status !== 200 && answer;
  });
}

const lastEntry = `query ($organizationId: ID!) {
  auditLog(organizationId: $organizationId, first: 1) { edges { node { action } } }
}`;
const changes = `subscription ($orderNo: String!) { orderStatusChanged(orderNo: $orderNo) { transactionStatus } }`;

describe('the embedded PostgreSQL', () => {
  it('is started again each time it dies: requests get 503 meanwhile, then subscriptions and jobs go on', async () => {
    const customer = await logInCustomer(server);
    for (const buyerEmail of ['first-kill@example.test', 'second-kill@example.test']) {
      const order = await placeOrder(server, customer, { buyerEmail });
      const states = follow(server, changes, { orderNo: order.orderNo }, { authorization: `Bearer ${customer.token}` });
      expect(await states.next()).toEqual({ transactionStatus: 'INITIATED' });
      const read = () => send(server, 'GET', `/api/orderTicketGroup?orderNo=${order.orderNo}`, customer);

      const meanwhile = await killPostgres(read);

      expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([503, '1']);
      await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe(200);
      await payAtTheBank(server, order.orderNo);
      let last;
      while (last !== 'SUCCESS') last = (await states.next()).transactionStatus;
      await states.leave();
      await expect.poll(async () => (await mailsTo(server, buyerEmail)).length, { timeout: 60_000 }).toBe(1);
    }
    const ends = server.printed().match(/the embedded PostgreSQL ended by itself \(SIGKILL\) and is started again/g);
    expect(ends?.length).toBeGreaterThanOrEqual(2);
    await expect.poll(async () => (await send(server, 'GET', '/health/ready')).status, { timeout: 60_000 }).toBe(200);
  });

  it('does not get the Ctrl-C of the terminal, and ends with a server that a second one ends at once', async () => {
    const body = { username: 'orgadmin@acme.test', password: 'wrong', company_code: 'ACME' };
    const admin = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const { org_id: organizationId } = decodeJwt(admin.access_token)['org'] as { org_id: string };
    const refused = send(server, 'POST', '/api/v1/login', { body }).catch(() => 'broken off');
    await until('the refusal, which only waits for its delay', async () => {
      const { data } = await graphql(server, lastEntry, { organizationId }, admin.headers);
      return data.auditLog.edges[0]?.node.action === 'session.refused';
    });
    ctrlC();
    await until('the line', async () => server.printed().includes('stopping…'));
    expect(await postgres()).toBeDefined();

    await until('the end of the server', async () => {
      try {
        ctrlC();
        return false;
      } catch {
        return true; // its group is gone
      }
    });

    expect(await refused).toBe('broken off');
    expect(server.printed()).not.toMatch(/^stopped$/m);
    await expect.poll(postgres, { timeout: 60_000 }).toBeUndefined();
  });

  it('ends with a server that is killed', async () => {
    server = await server.restart();
    expect(await postgres()).toBeDefined();

    await server.kill();

    await expect.poll(postgres, { timeout: 60_000 }).toBeUndefined();
  });
});
