import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import type { Clock } from '@foyer/shared/clock';
import type { Id } from '@foyer/shared/ids';
import type { Jobs } from '@foyer/shared/jobs/jobs';
import type { Log } from '@foyer/shared/telemetry/log';
import type { MediaDirectory } from '@foyer/shared/media-directory';
import type { Events } from '@foyer/shared/events/events';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { RequestScope } from '@foyer/shared/http/request';
import type { Rights } from '@foyer/shared/auth/rights';
import type { Mailer } from '@foyer/shared/mail/mailer';

import type { CustomerDirectory } from '#ports/customer-directory.ts';
import type { PaymentGateway } from '#ports/payment-gateway.ts';

import type { CustomerLinks } from './links/customer-links.ts';
import type { Limits } from './limits/limits.ts';
import type { Loaders } from './loaders.ts';
import type { OrderExports } from './links/export-links.ts';
import type { OrderReads } from './catalogue/order-reads.ts';
import type { Reservations } from './capacity/reservations.ts';
import type { ReceiptPrinter } from './receipts/pdf/receipt-printer.ts';
import type { DayReader } from './catalogue/read-days.ts';
import type { TicketSigner } from './ticket-codes/ticket-signer.ts';

/** The wired dependencies of ticketing, the same for every request and every job. */
export interface Services {
  db: TicketingDatabase;
  jobs: Jobs;
  events: Events;
  clock: Clock;
  log: Log;
  permissions: Permissions;
  rights: Rights;
  mediaDirectory: MediaDirectory;
  paymentGateway: PaymentGateway;
  mailer: Mailer;
  customerDirectory: CustomerDirectory;
  orderReads: OrderReads;
  reservations: Reservations;
  dayReader: DayReader;
  ticketSigner: TicketSigner;
  receiptPrinter: ReceiptPrinter;
  limits: Limits;
  exportLinks: OrderExports;
  settings: Settings;
  customerLinks: CustomerLinks;
  /** Signs the token of a customer, for one of their sessions. */
  signCustomerToken(
    holder: { custId: string; sessionId: string },
    now: Date,
  ): Promise<{ token: string; expiresAt: Date }>;
}

/** The operator's settings. */
export interface Settings {
  /** The public address of this server, without a slash at the end. */
  publicUrl: string;
  /** How long an order holds its capacity before payment starts. */
  holdMinutes: number;
  /** How many unpaid orders a buyer may have; null for any number. */
  openOrdersPerBuyer: number | null;
  /** How many unpaid orders the guests of one network may have; null for any number. */
  openOrdersPerAddress: number | null;
  /** How long a payment of an individual may take. */
  pendingMinutes: number;
  /** How long a payment of a company may take. */
  pendingCorporateHours: number;
  /** How many seconds after the start of a payment the gateway is queried about it; after the last, each hour. */
  requerySeconds: readonly number[];
  /** Whether developers may decrypt return payloads. */
  decryptEnabled: boolean;
  mailFrom: string;
}

/** The context of a request: the services, the viewer and the client. */
export interface Context extends RequestScope, Services {
  loaders: Loaders;
}

/** An entity of another subgraph, by its id. */
export interface Reference {
  id: Id;
}
