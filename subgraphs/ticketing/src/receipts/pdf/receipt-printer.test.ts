import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium';
import jsqr from 'jsqr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { legible } from './legible.ts';
import type { Receipt } from './receipt.ts';
import { openReceiptPrinter } from './receipt-printer.ts';

// Its types name a default export, but Node imports the function itself.
const readCode = jsqr as unknown as typeof jsqr.default;
const printer = openReceiptPrinter();
let pdfium: PDFiumLibrary;

beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});
afterAll(async () => {
  pdfium.destroy();
  await printer.stop();
});

const code = `T1:${'A1 $%*+-./:'.repeat(12)}`;

const aReceipt = (some: Partial<Receipt> = {}): Receipt => ({
  language: 'en',
  orderNo: 'ORD-20261224-0123456789ABC',
  buyerName: 'Siti binti Ahmad',
  buyerEmail: 'siti@example.my',
  groupName: 'Night at the Museum',
  location: 'Muzium Negara, Kuala Lumpur',
  organiser: 'Acme Events',
  admitDate: new Date('2026-12-24T00:00:00Z'),
  lines: [
    { name: 'Adult', variant: 'Standard', quantity: 1, unitPriceSen: 4_500n },
    { name: 'Child', variant: 'Standard', quantity: 1, unitPriceSen: 125_050n },
  ],
  totalSen: 129_550n,
  paidAt: new Date('2026-12-01T16:30:00Z'),
  bankName: 'Maybank',
  gatewayTransactionId: 'GW-1',
  tickets: [
    { code: `${code}1`, name: 'Adult', variant: 'Standard' },
    { code: `${code}2`, name: 'Child', variant: 'Standard' },
  ],
  ...some,
});

async function open(pdf: Uint8Array, use: (document: PDFiumDocument) => Promise<void>) {
  const document = await pdfium.loadDocument(pdf);
  try {
    await use(document);
  } finally {
    document.destroy();
  }
}

async function textOf(receipt: Receipt): Promise<string> {
  let text = '';
  await open((await printer.print(receipt)).pdf, async (document) => {
    for (const page of document.pages()) text += page.getText();
  });
  return text;
}

/** The position of the codes, at two pixels a point, and a strip that holds one of them. */
const LEFT = 80;
const WIDTH = 320;
const STRIP = 300;

/** The codes on its pages, each read separately, as a camera does. */
async function codesOf(pdf: Uint8Array): Promise<string[]> {
  const codes = new Set<string>();
  await open(pdf, async (document) => {
    for (const page of document.pages()) {
      const { data, width, height } = await page.render({ scale: 2, render: async ({ data }) => data });
      const row = (y: number) => data.subarray((y * width + LEFT) * 4, (y * width + LEFT + WIDTH) * 4);
      for (let top = 0; top + STRIP <= height; top += 30) {
        const strip = Array.from({ length: STRIP }, (_, index) => row(top + index));
        const found = readCode(new Uint8ClampedArray(Buffer.concat(strip)), WIDTH, STRIP)?.data;
        if (found) codes.add(found);
      }
    }
  });
  return [...codes];
}

describe('a printed receipt', () => {
  it('is a PDF, the same bytes each time', async () => {
    const another = openReceiptPrinter();
    const [once, again] = [await printer.print(aReceipt()), await another.print(aReceipt())];
    await another.stop();

    expect(Buffer.from(once.pdf).toString('latin1', 0, 5)).toBe('%PDF-');
    expect(again.hash).toBe(once.hash);
  });

  it('carries a code for each ticket that a camera can read', async () => {
    const { pdf } = await printer.print(aReceipt());

    expect(await codesOf(pdf)).toEqual([`${code}1`, `${code}2`]);
  });

  it.each([
    ['en', 'Receipt & tickets', 'Thursday, 24 December 2026'],
    ['bm', 'Resit & tiket', 'Khamis, 24 Disember 2026'],
    ['cn', '收据与门票', '2026年12月24日星期四'],
  ] as const)('speaks %s', async (language, title, day) => {
    const text = await textOf(aReceipt({ language }));

    expect(text).toContain(title);
    expect(text).toContain(day);
  });

  it('says who bought what, for how much, and when by the clock of Malaysia', async () => {
    const text = await textOf(aReceipt());

    for (const part of [
      'Siti binti Ahmad',
      'Maybank',
      'GW-1',
      'ORD-20261224-0123456789ABC',
      'RM 1,295.50',
      '1,250.50',
      '2 Dec 2026',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('shows a question mark for a character that its font lacks', async () => {
    expect(await textOf(aReceipt({ buyerName: 'சிவா 👨‍👩‍👧 王小明' }))).toContain('? 王小明');
  });

  it('keeps twenty tickets whole over several pages', async () => {
    const tickets = Array.from({ length: 20 }, (_, index) => ({ code: `${code}${index}`, name: 'Adult', variant: '' }));

    expect(await codesOf((await printer.print(aReceipt({ tickets }))).pdf)).toHaveLength(20);
  });
});

describe('legible text', () => {
  const characters = new Set(Array.from('abc é?').map((character) => character.codePointAt(0) ?? 0));

  it('keeps the characters of the font, however they are encoded', () => {
    expect(legible('abc e\u0301', characters)).toBe('abc ?'.replace('?', 'é'));
  });

  it('makes one question mark of one character, however many code points it has', () => {
    expect(legible('a👨‍👩‍👧b', characters)).toBe('a?b');
  });

  it('makes one line of it', () => {
    expect(legible('a\r\n\tb\u0000', characters)).toBe('a b');
  });
});
