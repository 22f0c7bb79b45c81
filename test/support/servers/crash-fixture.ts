import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { startInbox } from '@foyer/ticketing/simulators/inbox';
import { startPaymentGateway } from '@foyer/ticketing/simulators/payment-gateway';

import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { stopServerProcess, startServerProcess, type ServerProcess } from './server-process.ts';
import type { Mail } from './inbox.ts';
import { until } from '../until.ts';

/** A server whose database, bank and mail server are processes of the test, which outlive it. */
export interface CrashFixture {
  server: ServerProcess;
  db: ReturnType<typeof openDatabase>;
  databaseUrl: string;
  bank: TcpProxy;
  mail: TcpProxy;
  /** `kill -9`, and starts again on the same data. */
  killAndRestart(): Promise<void>;
  mailsTo(address: string): Promise<Mail[]>;
  /**
   * Kills the server at a step: takes the lock that the step needs, begins an action, waits until the server waits for
   * that lock, kills it there, and starts it again.
   *
   * @param lock SQL that takes the lock
   */
  killBefore(lock: string, begin: () => unknown): Promise<void>;
  close(): Promise<void>;
}

export async function startCrashFixture(env: Record<string, string> = {}): Promise<CrashFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-crash-'));
  const secret = randomBytes(32).toString('base64url');
  const [database, gateway, inbox] = await Promise.all([
    createTestDatabase('seeds'),
    startPaymentGateway({ folder: join(folder, 'bank'), secret }),
    startInbox({ folder: join(folder, 'inbox') }),
  ]);
  const portOf = (url: string) => Number(new URL(url).port);
  const [bank, mail] = await Promise.all([startTcpProxy(portOf(gateway.url)), startTcpProxy(portOf(inbox.smtpUrl))]);
  const db = openDatabase(database.url);

  const closeParts = async () => {
    await Promise.all([bank.shut(), mail.shut(), db.$disconnect()]);
    await Promise.all([gateway.stop(), inbox.stop(), database.drop()]);
    await rm(folder, { recursive: true, force: true });
  };

  const fixture: CrashFixture = {
    db,
    bank,
    mail,
    databaseUrl: database.url,
    server: await startServerProcess({
      LOGIN_FLOOR_MS: '50',
      DATABASE_URL: database.url,
      PAYMENT_GATEWAY_SECRET: secret,
      PAYMENT_GATEWAY_URL: `http://127.0.0.1:${bank.port}`,
      PAYMENT_GATEWAY_PUBLIC_URL: gateway.url,
      PAYMENT_GATEWAY_TIMEOUT_MS: '2000',
      JOB_HEARTBEAT_SECONDS: '10',
      JOB_LOOK_EVERY_SECONDS: '1',
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      ...env,
    }).catch(async (error: unknown) => {
      await closeParts(); // a failed start leaves nothing running
      throw error;
    }),
    async killAndRestart() {
      await fixture.server.kill();
      fixture.server = await fixture.server.restart();
    },
    async mailsTo(address) {
      const all = (await (await fetch(new URL('email', inbox.webUrl))).json()) as (Mail & {
        to: { address: string }[];
      })[];
      return all.filter(({ to }) => to.some((whom) => whom.address === address));
    },
    async killBefore(lock, begin) {
      await db.$transaction(
        async (tx) => {
          await tx.$executeRawUnsafe(lock);
          const begun = Promise.resolve(begin()).catch(() => undefined); // its connection will break
          await standBeforeALock(db, 1, { timeoutMs: 60_000 });
          await fixture.server.kill();
          await begun;
        },
        { timeout: 120_000 },
      );
      fixture.server = await fixture.server.restart();
    },
    async close() {
      await stopServerProcess(fixture.server);
      await closeParts();
    },
  };
  return fixture;
}

/** An order with its related records. */
export const orderWithAll = (db: CrashFixture['db'], orderNo: string) =>
  db.orderTicketGroup.findUniqueOrThrow({
    where: { orderNo },
    include: { tickets: true, deliveries: true, events: true, attempts: true, logs: true },
  });

/**
 * Waits until so many connections wait for a lock. `db` must not be the transaction that holds it: a transaction sees no
 * connection that was opened after it first looked at `pg_stat_activity`.
 */
export const standBeforeALock = (db: CrashFixture['db'], connections: number, within = {}) =>
  until(
    `${connections} to stand before the lock`,
    async () => {
      const waiting = await db.$queryRaw<unknown[]>`SELECT 1 FROM pg_stat_activity 
        WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      return waiting.length >= connections;
    },
    within,
  );

/** The days whose reserved places differ from the sum of their orders. */
export const unevenDays = (db: CrashFixture['db']) => db.$queryRaw<unknown[]>`
  SELECT c.* FROM ticketing.daily_capacity c
  WHERE c.reserved <> (
    SELECT coalesce(sum(o.quantity), 0) FROM ticketing.order_ticket_group o
    WHERE o.ticket_group_id = c.ticket_group_id AND o.admit_date = c.admit_date AND o.transaction_status <> 'FAILED'
  )`;
