/** Draws receipts in a worker thread, because computing would block the event loop. */
import { buffer } from 'node:stream/consumers';

import pdfmake from 'pdfmake';

import { openFontStore } from './fonts/font-store.ts';
import { openReceiptFonts } from './fonts/receipt-font.ts';
import { legible } from './legible.ts';
import type { Receipt } from './receipt.ts';
import type { Measure } from './lines-of-text.ts';
import { receiptDocument } from './receipt-document.ts';

/** A text needs one round for each file that it asks for and that turns out not to have a character. */
const MOST_ROUNDS = 8;

const store = openFontStore();
const fonts = openReceiptFonts(store, { normal: 400, bold: 700 });

// Its types lack it.
const { virtualfs } = pdfmake as unknown as { virtualfs: { writeFileSync(name: string, content: string): void } };
for (const name of Object.values(fonts.files)) virtualfs.writeFileSync(name, name);
pdfmake.setFonts({ Noto: fonts.files });
// A buyer's text must not make pdfmake call a server or read a file.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy(() => false);

export type { Receipt };

export default async function drawReceipt(receipt: Receipt): Promise<Uint8Array> {
  const shown = allLegible(receipt);
  for (let round = 1; ; round += 1) {
    const pdf = await draw(shown);
    if (!store.lacks() || round === MOST_ROUNDS) return pdf;
    await store.readMissing();
  }
}

async function draw(receipt: Receipt): Promise<Uint8Array> {
  const measure: Measure = (text, { fontSize, bold }) =>
    (fonts.widthOf(text, bold ? 'Bold' : 'Regular') * fontSize) / 1000;
  const document = receiptDocument(receipt, { measure });
  const pdf = await pdfmake.createPdf(document).getStream();
  pdf.end();
  return buffer(pdf);
}

/** Makes every text of a receipt legible, except the codes, which are drawn as QR codes. */
function allLegible(receipt: Receipt): Receipt {
  return {
    ...receipt,
    buyerName: legible(receipt.buyerName),
    buyerEmail: legible(receipt.buyerEmail),
    groupName: legible(receipt.groupName),
    location: legible(receipt.location),
    organiser: legible(receipt.organiser),
    bankName: legible(receipt.bankName),
    gatewayTransactionId: legible(receipt.gatewayTransactionId),
    lines: receipt.lines.map((line) => ({ ...line, name: legible(line.name), variant: legible(line.variant) })),
    tickets: receipt.tickets.map((ticket) => ({
      ...ticket,
      name: legible(ticket.name),
      variant: legible(ticket.variant),
    })),
  };
}
