import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { decide, goToTheBank, payAtTheBank, placeOrder } from './support/servers/bank.ts';
import { stopServerProcess, startServerProcess, type ServerProcess } from './support/servers/server-process.ts';
import { mailsTo } from './support/servers/inbox.ts';
import type { Json } from './support/json.ts';
import { send, logInCustomer } from './support/fixtures/people.ts';
import { prepareUpload, uploading } from './support/fixtures/uploads.ts';
import { until } from './support/until.ts';
import { testVideo } from './support/fixtures/video.ts';

let server: ServerProcess;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-kill-'));
  // Queried and cleaned up sooner than in production: the bank after eight seconds instead of two minutes.
  server = await startServerProcess({
    LOGIN_FLOOR_MS: '50',
    PAYMENT_REQUERY_SECONDS: '8,16,24',
    PROCESSING_BEAT_MS: '200',
    JOB_HEARTBEAT_SECONDS: '10',
    JOB_LOOK_EVERY_SECONDS: '1',
  });
});

afterAll(async () => {
  await stopServerProcess(server);
  await rm(folder, { recursive: true, force: true });
});

async function killAndRestart() {
  await server.kill();
  server = await server.restart();
}

async function orderOf(orderNo: string): Promise<Json> {
  const { headers } = await logInCustomer(server);
  return (await send(server, 'GET', `/api/orderTicketGroup?orderNo=${orderNo}`, { headers })).json;
}

describe('kill -9 in the middle of a payment', () => {
  let silent: { orderNo: string };
  let away: { orderNo: string };
  let paid: { orderNo: string };
  let bank: Awaited<ReturnType<typeof goToTheBank>>;

  // One kill hits three orders, each at a critical step.
  beforeAll(async () => {
    const customer = await logInCustomer(server);
    silent = await placeOrder(server, customer, { buyerEmail: 'silent@example.test' });
    away = await placeOrder(server, customer, { buyerEmail: 'away@example.test' });
    paid = await placeOrder(server, customer, { buyerEmail: 'mail@example.test' });
    bank = await goToTheBank(server, away.orderNo);
    await decide(await goToTheBank(server, silent.orderNo), 'timeout').catch(() => undefined);
    await payAtTheBank(server, paid.orderNo);
    await killAndRestart();
  });

  it('before anybody reported the payment: the order is still there', async () => {
    // On a slow machine the gateway may have been queried already.
    expect(['PENDING', 'SUCCESS']).toContain((await orderOf(silent.orderNo)).transactionStatus);
  });

  it('while the customer is at the bank: they return and are served', async () => {
    const back = await decide(bank, 'approve');
    const returned = await fetch(back, { redirect: 'manual' });
    expect(returned.headers.get('location')).toContain('/payment/success');
    expect((await orderOf(away.orderNo)).transactionStatus).toBe('SUCCESS');
  });

  it('between the payment and its mail: the mail is sent, once', async () => {
    await until('isEmailSent', async () => (await orderOf(paid.orderNo)).isEmailSent as boolean, {
      timeoutMs: 90_000,
    });
    const ids = (await mailsTo(server, 'mail@example.test')).map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(1); // SMTP can repeat a mail; it is then the same mail
  });

  it('and a payment that nobody reported is found by a query to the bank', async () => {
    const found = await until(
      'the requery',
      async () => {
        const order = await orderOf(silent.orderNo);
        return order.transactionStatus === 'SUCCESS' && order;
      },
      { timeoutMs: 60_000, everyMs: 500 },
    );
    expect(found.items[0].quantityBought).toBe(2);
  });
});

/** The end of the last box of an MP4; each box states its length. */
function endOfBoxes(bytes: Buffer): number {
  let at = 0;
  while (at + 8 <= bytes.length && bytes.readUInt32BE(at) >= 8) at += bytes.readUInt32BE(at);
  return at;
}

describe('kill -9 in the middle of a video', () => {
  it('while it is uploaded: the client continues where the server stopped', async () => {
    const file = await testVideo(folder, { seconds: 8 });
    const { size } = await stat(file);
    const uploadToken = await prepareUpload(server, { size, fileName: 'resumed.mp4', folder: 'kill' });

    const upload = uploading(server, file, { size, uploadToken });
    const place = await upload.until(0.3);
    await killAndRestart();
    await uploading(server, file, { size, uploadToken, uploadUrl: place }).done;

    const media = await processed('resumed.mp4');
    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'done', videoCodec: 'h264' });
  });

  it('while it is processed: it ends done, or failed with a reason, and its bytes are complete', async () => {
    const file = await testVideo(folder, { seconds: 8 });
    await uploaded(file, { size: (await stat(file)).size, fileName: 'interrupted.mp4' });
    await killAndRestart();

    const media = await processed('interrupted.mp4');
    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'done', videoCodec: 'h264' });
    const bytes = Buffer.from(await (await fetch(media.assetUrl)).arrayBuffer());
    expect(endOfBoxes(bytes)).toBe(bytes.byteLength);
  });

  it('right after an upload of another file: no byte is lost', async () => {
    const file = join(import.meta.dirname, '../pnpm-lock.yaml');
    const content = await readFile(file);
    await uploaded(file, { size: content.length, fileName: 'lock.yaml', mediaType: 'other' });
    await killAndRestart();

    const media = await processed('lock.yaml');
    const served = createHash('sha256').update(new Uint8Array(await (await fetch(media.assetUrl)).arrayBuffer()));
    expect(served.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
  });

  async function uploaded(file: string, wish: { size: number; fileName: string; mediaType?: string }) {
    const uploadToken = await prepareUpload(server, { ...wish, folder: 'kill' });
    await uploading(server, file, { size: wish.size, uploadToken }).done;
  }
});

/** The media item of this name, once its processing has ended. */
const processed = (fileName: string): Promise<Json> =>
  until(
    `${fileName} to be processed`,
    async () => {
      const { json } = await send(server, 'GET', '/api/media/?folder=kill');
      const found = json.data.find((media: Json) => media.fileName === fileName);
      return ['done', 'failed'].includes(found?.transcodingStage) && found;
    },
    { timeoutMs: 100_000, everyMs: 500 },
  );
