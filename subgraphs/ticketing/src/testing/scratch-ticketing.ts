import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock, type Clock } from '@foyer/shared/clock';
import { openJobs } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';
import { openEvents } from '@foyer/shared/events/open-events';

import { paymentGateway } from '../adapters/payment-gateway.ts';
import type { Context, Services } from '../context.ts';
import { confirmFreeOrders } from '../checkout/confirm-free-orders.ts';
import { openCustomerLinks } from '../links/customer-links.ts';
import { customerResetWorkers } from '../customer-passwords/send-customer-reset.ts';
import { deliveryWorkers } from '../deliveries/workers.ts';
import { noLimits } from '../limits/limits.ts';
import { openLoaders } from '../loaders.ts';
import { openExportLinks } from '../links/export-links.ts';
import { openOrderReads } from '../catalogue/order-reads.ts';
import { openReservations } from '../capacity/reservations.ts';
import { paymentWorkers } from '../payments/workers.ts';
import { openReceiptPrinter } from '../receipts/pdf/receipt-printer.ts';
import { openDayReader } from '../catalogue/read-days.ts';
import { openTicketSigner } from '../ticket-codes/ticket-signer.ts';
import { startPaymentGateway } from '../simulators/payment-gateway.ts';
import { startScratchDatabase } from './scratch-database.ts';

/** Ticketing alone, on a database of its own, with the simulated bank. */
export interface ScratchTicketing {
  context: Context;
  bankUrl: string;
  stop(): Promise<void>;
}

/**
 * Leaves out: permissions (nobody is staff), media (there are none), mail (nothing is sent), and workers: jobs are enqueued, and run
 * only when a test calls them.
 */
export async function openScratchTicketing({ clock = systemClock }: { clock?: Clock } = {}): Promise<ScratchTicketing> {
  const { db, url, stop: stopDatabase } = await startScratchDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'foyer-bank-'));
  const secret = randomBytes(32);
  const bank = await startPaymentGateway({ folder, secret: secret.toString('base64url'), clock });
  const log = openLog('silent');
  const jobs = await openJobs({ databaseUrl: url, log });
  const gateway = { url: bank.url, publicUrl: bank.url, agentToken: 'foyer-test', secret, timeoutMs: 5_000 };
  const events = openEvents({ databaseUrl: url, log });
  const ticketSigner = openTicketSigner(generateKeyPairSync('ed25519').privateKey);
  const services: Services = {
    db,
    jobs,
    log,
    clock,
    events,
    permissions: {
      onPlatform: async () => new Set(),
      inOrganization: async () => new Set(),
      inWorkspace: async () => null,
      workspacesWith: async () => [],
    },
    rights: { watch: async () => () => undefined, stands: async () => true },
    mediaDirectory: { findVisible: async () => null },
    paymentGateway: paymentGateway(gateway, clock),
    mailer: { send: async () => undefined },
    customerDirectory: {
      attempt: (_email, _client, check) => check(),
      forgetFailures: async () => undefined,
      checkPassword: async () => true,
      assertPassword: async () => undefined,
      createUser: async (custId) => custId,
      setPassword: async () => undefined,
      deleteUser: async () => undefined,
      admitRequest: async () => undefined,
      mayMail: async () => ({ giveBack: async () => undefined }),
    },
    orderReads: openOrderReads(db),
    reservations: openReservations(db, confirmFreeOrders({ db, jobs, ticketSigner })),
    receiptPrinter: openReceiptPrinter(),
    limits: noLimits,
    exportLinks: openExportLinks({ secret: secret.toString('hex'), publicUrl: 'http://127.0.0.1:1', clock }),
    dayReader: openDayReader({ db, clock }),
    ticketSigner,
    settings: {
      publicUrl: 'http://127.0.0.1:1',
      holdMinutes: 15,
      openOrdersPerBuyer: null,
      openOrdersPerAddress: null,
      pendingMinutes: 30,
      pendingCorporateHours: 72,
      requerySeconds: [120, 300, 600, 900, 1_800],
      decryptEnabled: true,
      mailFrom: 'Foyer <tickets@foyer.test>',
    },
    customerLinks: openCustomerLinks({ secret: secret.toString('hex'), publicUrl: 'http://127.0.0.1:1' }),
    signCustomerToken: async ({ custId }, now) => ({ token: custId, expiresAt: now }),
  };
  await jobs.register([...paymentWorkers(services), ...deliveryWorkers(services), ...customerResetWorkers(services)]);

  return {
    context: {
      ...services,
      loaders: openLoaders(db),
      requestId: 'test',
      viewer: null,
      client: { address: '127.0.0.1', userAgent: 'test' },
      signal: new AbortController().signal,
      reply: { cookies: [] },
    },
    bankUrl: bank.url,
    async stop() {
      await bank.stop();
      await services.receiptPrinter.stop();
      await jobs.stop(1_000);
      await events.stop();
      await stopDatabase();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
