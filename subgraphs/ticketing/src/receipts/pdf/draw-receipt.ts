/** Draws receipts in a worker thread, because 100 ms of computing would block the event loop. */
import { join, resolve } from 'node:path';

import { openSync, type Font } from 'fontkit';
import pdfmake from 'pdfmake';

import { legible } from './legible.ts';
import type { Receipt } from './receipt.ts';
import { receiptDocument } from './receipt-document.ts';

const folder = resolve(import.meta.dirname, '../../../fonts');
const normal = join(folder, 'NotoSansSC_400Regular.ttf');
const bold = join(folder, 'NotoSansSC_700Bold.ttf');

pdfmake.setFonts({ Noto: { normal, bold } });
// A buyer's text must not make pdfmake call a server or read a file.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => path === normal || path === bold);

const characters = new Set((openSync(normal) as Font).characterSet);

export default async function drawReceipt(receipt: Receipt): Promise<Uint8Array> {
  return pdfmake.createPdf(receiptDocument(allLegible(receipt))).getBuffer();
}

/** Makes every text of a receipt legible, except the codes, which are drawn as QR codes. */
function allLegible(receipt: Receipt): Receipt {
  const plain = (text: string) => legible(text, characters);
  return {
    ...receipt,
    buyerName: plain(receipt.buyerName),
    buyerEmail: plain(receipt.buyerEmail),
    groupName: plain(receipt.groupName),
    location: plain(receipt.location),
    organiser: plain(receipt.organiser),
    bankName: plain(receipt.bankName),
    gatewayTransactionId: plain(receipt.gatewayTransactionId),
    lines: receipt.lines.map((line) => ({ ...line, name: plain(line.name), variant: plain(line.variant) })),
    tickets: receipt.tickets.map((ticket) => ({ ...ticket, name: plain(ticket.name), variant: plain(ticket.variant) })),
  };
}
