import { oneAtATime } from '@foyer/prisma/one-at-a-time';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import type { Clock } from '@foyer/shared/clock';
import type { Jobs } from '@foyer/shared/jobs/jobs';
import { signLegacyToken } from '@foyer/shared/auth/legacy-token';
import type { Log } from '@foyer/shared/telemetry/log';
import type { MediaDirectory } from '@foyer/shared/media-directory';
import type { Events } from '@foyer/shared/events/events';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Rights } from '@foyer/shared/auth/rights';
import type { SharedRedis } from '@foyer/shared/events/redis';
import type { RequestScope } from '@foyer/shared/http/request';
import type { Subgraph } from '@foyer/shared/graphql/subgraph';
import { smtpMailer } from '@foyer/shared/mail/smtp-mailer';

import type { CustomerDirectory } from '#ports/customer-directory.ts';
import type { ReceiptStore } from '#ports/receipt-store.ts';

import { paymentGateway } from './adapters/payment-gateway.ts';
import { topics } from './topics.ts';
import type { Config } from './config.ts';
import type { Context, Services } from './context.ts';
import { openCustomerLinks } from './links/customer-links.ts';
import { customerResetWorkers } from './customer-passwords/send-customer-reset.ts';
import { customerWorkers } from './customers/workers.ts';
import { deliveryWorkers } from './deliveries/workers.ts';
import { noLimits, openLimits } from './limits/limits.ts';
import { openLoaders } from './loaders.ts';
import { writeNotificationWorker } from './notifications/write-notification.ts';
import { auditReservationsWorker } from './checkout/audit-reservations.ts';
import { confirmFreeOrders } from './checkout/confirm-free-orders.ts';
import { openExportLinks } from './links/export-links.ts';
import { exportRoutes } from './order-exports/export-routes.ts';
import { clearStorefrontWorker } from './catalogue/clear-storefront.ts';
import { openOrderReads } from './catalogue/order-reads.ts';
import { openReservations } from './capacity/reservations.ts';
import { paymentWorkers } from './payments/workers.ts';
import { openReceiptPrinter } from './receipts/pdf/receipt-printer.ts';
import { openReceiptCache } from './receipts/receipt-cache.ts';
import { receiptRoutes } from './receipts/routes.ts';
import { sweepReceiptsWorker } from './receipts/sweep-receipts.ts';
import { ticketingSchema } from './schema.ts';
import { seedTicketing } from './seed/seed-ticketing.ts';
import { openDayReader } from './catalogue/read-days.ts';
import { ticketRoutes } from './tickets/routes.ts';
import { openTicketSigner } from './ticket-codes/ticket-signer.ts';

interface Options {
  config: Config;
  db: TicketingDatabase;
  jobs: Jobs;
  events: Events;
  clock: Clock;
  log: Log;
  /** Where all processes share their rate limits; without it each process counts for itself. */
  redis?: SharedRedis | undefined;
  permissions: Permissions;
  rights: Rights;
  mediaDirectory: MediaDirectory;
  customerDirectory: CustomerDirectory;
  /** Where processes share what they have printed; without it each has only its own memory. */
  receiptStore: ReceiptStore | undefined;
}

export interface Ticketing extends Subgraph {
  /** Seeds the demo data; does nothing without a password for the demo customer. */
  seed(options: { demoPassword: string | undefined }): Promise<void>;
}

/** Wires ticketing: its schema, its routes and its workers. */
export async function createTicketing({ config, receiptStore, ...options }: Options): Promise<Ticketing> {
  const mailer = smtpMailer({ url: config.smtpUrl, from: config.mailFrom });
  const receiptCache = openReceiptCache({ ...options, store: receiptStore, secret: config.legacyJwtSecret });
  const receiptPrinter = openReceiptPrinter({ cache: receiptCache });
  const {
    publicUrl,
    holdMinutes,
    openOrdersPerAddress,
    openOrdersPerBuyer,
    pendingMinutes,
    pendingCorporateHours,
    requerySeconds,
    decryptEnabled,
  } = config;
  const settings = {
    publicUrl,
    holdMinutes,
    openOrdersPerAddress,
    openOrdersPerBuyer,
    pendingMinutes,
    pendingCorporateHours,
    requerySeconds,
    decryptEnabled,
    mailFrom: config.mailFrom,
  };
  const ticketSigner = openTicketSigner(config.ticketSigningKey, config.ticketSigningKeyPrevious);
  const services: Services = {
    ...options,
    mailer,
    receiptPrinter,
    paymentGateway: paymentGateway(config.gateway, options.clock),
    orderReads: openOrderReads(options.db),
    reservations: openReservations(options.db, confirmFreeOrders({ ...options, ticketSigner })),
    dayReader: openDayReader(options),
    ticketSigner,
    settings,
    limits: config.perMinute ? openLimits(config.perMinute, options) : noLimits,
    exportLinks: openExportLinks({ secret: config.legacyJwtSecret, publicUrl, clock: options.clock }),
    customerLinks: openCustomerLinks({ secret: config.legacyJwtSecret, publicUrl }),
    signCustomerToken: (holder, now) => customerToken(config, holder, now),
  };

  return {
    name: 'ticketing',
    schema: await ticketingSchema(),
    contextFor: (scope: RequestScope): Context => ({ ...scope, ...services, loaders: openLoaders(services.db) }),
    routes: async (app) => {
      await app.register(receiptRoutes(services));
      await app.register(exportRoutes(services));
      await app.register(ticketRoutes(services));
    },
    workers: [
      ...paymentWorkers(services),
      ...deliveryWorkers(services),
      ...customerWorkers(services),
      ...customerResetWorkers(services),
      auditReservationsWorker(services),
      sweepReceiptsWorker(receiptCache),
      writeNotificationWorker(services),
      clearStorefrontWorker(services),
    ],
    channels: Object.values(topics),
    async seed({ demoPassword }) {
      if (demoPassword) await oneAtATime(services.db, () => seedTicketing(services, { demoPassword }));
    },
    async stop() {
      mailer.close();
      await receiptPrinter.stop();
      await receiptCache.stop();
    },
  };
}

async function customerToken(config: Config, holder: { custId: string; sessionId: string }, now: Date) {
  const lifetimeSeconds = config.customerTokenHours * 3_600;
  const token = await signLegacyToken(config.legacyJwtSecret, holder, lifetimeSeconds, now);
  return { token, expiresAt: new Date(now.getTime() + lifetimeSeconds * 1_000) };
}
