import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createClient } from 'graphql-ws';
import { Upload } from 'tus-js-client';
import { WebSocket } from 'ws';

import { graphql, send } from '../support/fixtures/people.ts';
import { aGuest } from '../support/fixtures/storefront.ts';
import { payAtTheBank, placeOrder } from '../support/servers/bank.ts';
import type { Server } from '../support/servers/server-process.ts';
import { until } from '../support/until.ts';
import type { Shared } from './shared.ts';
import { buy, mediaOf, prepareUpload } from './visitors.ts';

/** Between two requests of a client. */
const PAUSE_MS = 50;

const FOLLOW = `subscription ($orderNo: String!, $email: String) {
  orderStatusChanged(orderNo: $orderNo, email: $email) { transactionStatus } }`;
const EMAIL = 'siti@example.test';

/** What clients do until something has happened; what fails is noted, and they go on. */
class Load {
  readonly failures: string[] = [];
  readonly counts: Record<string, number> = {};
  private readonly over = new AbortController();
  private readonly clients: Promise<void>[] = [];

  /** Repeats what a client does. */
  client(kind: string, visit: () => Promise<void>): void {
    const repeat = async () => {
      while (!this.over.signal.aborted) {
        await this.note(kind, visit);
        await sleep(PAUSE_MS);
      }
    };
    this.clients.push(repeat());
  }

  /** Does something once, and counts it. */
  async note(kind: string, visit: () => Promise<void>): Promise<void> {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    await visit().catch((error: Error) => {
      const { message, cause } = error;
      this.failures.push(
        `${new Date().toISOString()} ${kind}: ${message} ${cause instanceof Error ? cause.message : ''}`,
      );
    });
  }

  /** Goes on until something has happened, and until what every client does has ended. */
  async during(happens: () => Promise<unknown>): Promise<void> {
    try {
      await happens();
    } finally {
      this.over.abort();
      await Promise.all(this.clients);
    }
  }
}

async function browse(server: Server): Promise<void> {
  const { status, errors } = await graphql(server, '{ ticketGroups(first: 1) { edges { node { ticketGroupId } } } }');
  if (status !== 200 || errors) throw new Error(`${status} ${JSON.stringify(errors)}`);
}

/** Four clients that ask for what the storefront shows, one request after another, while something happens. */
export async function whileBrowsing(server: Server, happens: () => Promise<unknown>) {
  const load = new Load();
  for (let client = 0; client < 4; client += 1) load.client('queries', () => browse(server));
  await load.during(happens);
  return { count: load.counts['queries'] ?? 0, failures: load.failures };
}

/** All that clients do, at once, while something happens: queries, purchases, REST routes, uploads and subscriptions. */
export async function whileUsing(shared: Shared, happens: () => Promise<unknown>) {
  const { here, sale, organization } = shared;
  const load = new Load();
  const follower = await followOrder(shared, load);
  for (let client = 0; client < 2; client += 1) load.client('queries', () => browse(here));
  load.client('REST requests', async () => {
    const { status, text } = await send(here, 'GET', '/api/v1/me', { headers: organization.admin.headers });
    if (status !== 200) throw new Error(`${status} ${text}`);
  });
  load.client('paid orders', async () => void (await buy(here, sale)));
  const file = join(shared.folder, 'upload.bin');
  await writeFile(file, randomBytes(512 * 1024));
  load.client('uploads', () => uploadWhole(shared, load, file));
  await load.during(happens);
  await load.note('events after it', () => follower.end());
  return { counts: load.counts, failures: load.failures };
}

/** Uploads a file in small parts, as a client that resumes, and reads it back. Each part that had to be sent again is a failure. */
async function uploadWhole({ here, organization }: Shared, load: Load, file: string): Promise<void> {
  const bytes = await readFile(file);
  const fileName = `upload-${Date.now()}.bin`;
  const wish = { mediaType: 'other', mimeType: 'application/octet-stream' };
  const uploadToken = await prepareUpload(here, organization, { ...wish, fileName, size: bytes.length });
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: `${here.url}/files/`,
      chunkSize: 64 * 1024,
      retryDelays: [100, 500, 2_000, 5_000],
      metadata: { filename: fileName, filetype: wish.mimeType, uploadToken },
      onShouldRetry(error) {
        load.failures.push(`${new Date().toISOString()} part of an upload: ${error.message}`);
        return true;
      },
      onSuccess: () => resolve(),
      onError: reject,
    });
    upload.start();
  });
  const { assetUrl } = await until(
    `${fileName} in the library`,
    async () => {
      const found = await mediaOf(here, organization, fileName);
      return found?.status === 'ready' && found;
    },
    { timeoutMs: 600_000, everyMs: 500 },
  );
  const kept = Buffer.from(await (await fetch(assetUrl)).arrayBuffer());
  if (!kept.equals(bytes)) throw new Error(`${kept.length} other bytes were kept`);
}

/** Why a subscription ends whose subgraph has stopped: its client subscribes again, and begins with the order as it is then. */
const isOfStop = (errors: unknown) => JSON.stringify(errors).includes('"SUBGRAPH_UNAVAILABLE"');

/** Follows an order that nobody pays yet, and connects again when told to. At the end it is paid, which must be heard. */
async function followOrder({ here, sale }: Shared, load: Load) {
  const { orderNo } = await placeOrder(here, { custId: await aGuest(here), headers: {} }, {}, sale);
  const states: string[] = [];
  const client = createClient({
    url: `${here.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: Infinity,
    shouldRetry: () => true,
    on: { opened: () => void (load.counts['WebSockets'] = (load.counts['WebSockets'] ?? 0) + 1) },
  });
  let unsubscribe = () => {};
  function follow() {
    load.counts['subscriptions'] = (load.counts['subscriptions'] ?? 0) + 1;
    const failed = (errors: unknown) =>
      isOfStop(errors) ? setTimeout(follow, 500) : load.failures.push(`subscription: ${JSON.stringify(errors)}`);
    unsubscribe = client.subscribe<{ orderStatusChanged: { transactionStatus: string } }>(
      { query: FOLLOW, variables: { orderNo, email: EMAIL } },
      {
        next: ({ data, errors }) =>
          errors ? failed(errors) : states.push(data?.orderStatusChanged.transactionStatus ?? ''),
        error: failed,
        complete: () => undefined,
      },
    );
  }
  follow();
  await until('the state of the order', async () => states.length > 0);
  return {
    async end() {
      await payAtTheBank(here, orderNo);
      await until('the event of the payment', async () => states.includes('SUCCESS'), { timeoutMs: 600_000 });
      unsubscribe();
      await client.dispose();
    },
  };
}
