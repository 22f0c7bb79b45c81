/** Draws receipts in one thread, as the product does or with plain pdfmake, and says how many in how much time. */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import drawReceipt, { type Receipt } from '@foyer/ticketing/draw-receipt';
import { receiptDocument } from '@foyer/ticketing/receipt-document';
import pdfmake from 'pdfmake';

export interface Drawn {
  receipts: number;
  bytes: number;
  /** Of the thread, in seconds. */
  cpu: number;
  wall: number;
}

const how = process.argv[2] as 'foyer' | 'pdfmake';
const tickets = Number(process.argv[3]);
const languages = ['bm', 'en', 'cn'] as const;

const receiptNo = (count: number): Receipt => ({
  language: languages[count % languages.length] ?? 'bm',
  orderNo: `ORD-20261224-${String(count).padStart(13, '0')}`,
  buyerName: '王小明 Siti binti Ahmad',
  buyerEmail: `siti${count}@example.my`,
  groupName: 'Malam di Muzium · 博物馆之夜',
  location: 'Muzium Negara, Kuala Lumpur',
  organiser: 'Acme Events',
  admitDate: new Date('2026-12-24T00:00:00Z'),
  lines: [{ name: 'Dewasa · 成人', variant: 'Adult', quantity: tickets, unitPriceSen: 4_500n }],
  totalSen: 4_500n * BigInt(tickets),
  paidAt: new Date('2026-12-01T16:30:00Z'),
  bankName: 'Maybank',
  gatewayTransactionId: `GW-${count}`,
  tickets: Array.from({ length: tickets }, () => ({
    code: `T1:${randomBytes(66).toString('hex').toUpperCase()}`,
    name: 'Dewasa · 成人',
    variant: 'Adult',
  })),
});

const roboto = join(dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts/Roboto');

/** pdfmake as its documentation shows it: its own font, parsed for each document, and its own QR codes. */
function drawPlainly(receipt: Receipt): Promise<Uint8Array> {
  const codes = receipt.tickets.map(({ code }) => code);
  const document = receiptDocument(receipt, { measure: () => Infinity });
  const withCodes = JSON.parse(
    JSON.stringify(document.content, (_key, value: object) =>
      value && typeof value === 'object' && 'image' in value
        ? { qr: codes.shift(), fit: 126, eccLevel: 'M', foreground: '#1f1d36', background: '#faf7fb' }
        : value,
    ),
  ) as typeof document.content;
  pdfmake.setLocalAccessPolicy((path) => path.startsWith(roboto));
  pdfmake.setFonts({
    Noto: { normal: join(roboto, 'Roboto-Regular.ttf'), bold: join(roboto, 'Roboto-Medium.ttf') },
  });
  return pdfmake.createPdf({ ...document, content: withCodes }).getBuffer();
}

let count = 0;
const draw = () => (how === 'foyer' ? drawReceipt : drawPlainly)(receiptNo((count += 1)));

async function drawFor(seconds: number): Promise<Drawn> {
  const [cpu, started, first] = [process.threadCpuUsage(), performance.now(), count];
  let bytes = 0;
  while (performance.now() - started < seconds * 1_000) bytes += (await draw()).length;
  const { user, system } = process.threadCpuUsage(cpu);
  return {
    receipts: count - first,
    bytes,
    cpu: (user + system) / 1e6,
    wall: (performance.now() - started) / 1_000,
  };
}

process.on('message', (seconds: number) => {
  void drawFor(seconds).then((drawn) => process.send?.(drawn));
});
