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
  await open((await printer.print(receipt, 'Siti')).pdf, async (document) => {
    for (const page of document.pages()) text += page.getText();
  });
  return text;
}

/** The first pages of receipts, as pixels. */
async function pixelsOf(receipts: Receipt[]): Promise<number[][]> {
  const pages: number[][] = [];
  for (const receipt of receipts) {
    await open((await printer.print(receipt, 'Siti')).pdf, async (document) => {
      const { data } = await document.getPage(0).render({ scale: 1, render: async (page) => page.data });
      pages.push([...data]);
    });
  }
  return pages;
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
    const [once, again] = [await printer.print(aReceipt(), 'Siti'), await another.print(aReceipt(), 'Siti')];
    await another.stop();

    expect(Buffer.from(once.pdf).toString('latin1', 0, 5)).toBe('%PDF-');
    expect(again.hash).toBe(once.hash);
  });

  it.each([
    ['en', 'Free'],
    ['bm', 'Percuma'],
    ['cn', '免费'],
  ] as const)('says in %s that what costs nothing is free, line by line', async (language, free) => {
    const lines = [{ name: 'Visitor', variant: 'Visitor', quantity: 2, unitPriceSen: 0n }];

    const text = await textOf(aReceipt({ language, lines, totalSen: 0n }));

    expect(text.split(free)).toHaveLength(1 + 3); // the price, the amount and the total
    expect(text).not.toContain('0.00');
  });

  it('carries a code for each ticket that a camera can read', async () => {
    const { pdf } = await printer.print(aReceipt(), 'Siti');

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

  it.each([
    ['traditional Chinese', '陳美玲'],
    ['traditional Chinese of Hong Kong', '黃偉 喆 堃'],
    ['simplified Chinese', '陈美玲'],
    ['Tamil, with vowels that are written before their consonants', 'கொழும்பு சிவா'],
    ['Latin of Europe and Vietnam', 'Łukasz Żółć, Nguyễn Văn Ánh'],
    ['Greek and Cyrillic', 'Ωμέγα Дмитрий'],
    ['Devanagari', 'राम प्रकाश'],
    ['Thai', 'สมชาย ใจดี'],
    ['emoji', '🎉 Siti'],
  ])('prints %s, and its text is copied as it was written', async (_script, buyerName) => {
    const text = await textOf(aReceipt({ buyerName }));

    expect(text.normalize('NFC')).toContain(buyerName);
    expect(text).not.toContain('?');
  });

  it('prints Jawi from right to left, and its text is copied as it was written', async () => {
    const text = await textOf(aReceipt({ buyerName: 'سيتي نورهاليزا', location: 'ڤڠݢيل (KL) ڽامن' }));

    expect(text).toContain('سيتي نورهاليزا');
    for (const word of ['ڤڠݢيل', '(KL', 'ڽامن']) expect(text).toContain(word);
  });

  it('breaks a long right-to-left name into lines', async () => {
    const word = 'نورهاليزا';
    const text = await textOf(aReceipt({ buyerName: `${word} `.repeat(20) + word.repeat(12) }));

    expect(text.replaceAll(/\s/g, '').split(word)).toHaveLength(33);
  });

  it('shows the numbers of characters that no font has, and copies the characters', async () => {
    const receipt = aReceipt({ buyerName: '김 𓀀', location: '[U+AE40] [U+13000]' });
    const [numbers = [], shown = []] = await pixelsOf([aReceipt({ ...receipt, buyerName: receipt.location }), receipt]);
    const differs = (level: number, at: number) => Math.abs(level - (shown[at] ?? 0)) > 64;

    expect(numbers).toHaveLength(shown.length);
    expect(numbers.filter(differs)).toHaveLength(0);
    expect(await textOf(receipt)).toContain('김 𓀀');
  });

  it('is printed for one long and odd name after another, in the little memory of its thread', async () => {
    const names = [0, 1, 2, 3].map((at) =>
      String.fromCharCode(...Array.from({ length: 120 }, (_, i) => 0xe000 + at * 120 + i)),
    );
    for (const buyerName of names) expect(await textOf(aReceipt({ buyerName }))).toContain(buyerName.slice(0, 5));
  });

  it('keeps twenty tickets whole over several pages', async () => {
    const tickets = Array.from({ length: 20 }, (_, index) => ({ code: `${code}${index}`, name: 'Adult', variant: '' }));

    expect(await codesOf((await printer.print(aReceipt({ tickets }), 'Siti')).pdf)).toHaveLength(20);
  });
});

describe('the queue for receipts', () => {
  const numbered = (orderNo: string) => aReceipt({ orderNo, tickets: [] });
  const reasonOf = ({ reason }: PromiseRejectedResult) => (reason as { reason?: string }).reason;
  const outcomesOf = async (prints: Promise<unknown>[]) =>
    (await Promise.allSettled(prints)).map((outcome) =>
      outcome.status === 'fulfilled' ? 'printed' : reasonOf(outcome),
    );

  it('refuses a caller more than their share, and nobody else', async () => {
    const busy = openReceiptPrinter({ waiting: { ofCaller: 2, ofAll: 10 } });
    const greedy = Array.from({ length: 6 }, (_, index) => busy.print(numbered(`a${index}`), 'a'));
    const others = [busy.print(numbered('b'), 'b'), busy.print(numbered('ours'), null)];
    const [ofGreedy, ofOthers] = [await outcomesOf(greedy), await outcomesOf(others)];
    await busy.stop();

    // Two are being printed, and two wait.
    expect(ofGreedy.filter((outcome) => outcome === 'RECEIPTS_BUSY')).toHaveLength(2);
    expect(ofOthers).toEqual(['printed', 'printed']);
  });

  it('makes room for a newcomer at the cost of whoever waits for the most', async () => {
    const busy = openReceiptPrinter({ waiting: { ofCaller: 10, ofAll: 4 } });
    const greedy = Array.from({ length: 6 }, (_, index) => busy.print(numbered(`a${index}`), 'a'));
    const others = ['b', 'c'].map((caller) => busy.print(numbered(caller), caller));
    const [ofGreedy, ofOthers] = [await outcomesOf(greedy), await outcomesOf(others)];
    await busy.stop();

    expect(ofOthers).toEqual(['printed', 'printed']);
    expect(ofGreedy.filter((outcome) => outcome === 'RECEIPTS_BUSY')).toHaveLength(2);
  });

  it('prints once what several ask for at the same time, and not at all what another process has printed', async () => {
    const kept = new Map<string, Uint8Array>();
    const keys: string[] = [];
    const cache = {
      read: async (key: string) => kept.get(key) ?? null,
      keep: (key: string, pdf: Uint8Array) => {
        keys.push(key);
        kept.set(key, pdf);
      },
    };
    const [one, another] = [openReceiptPrinter({ cache }), openReceiptPrinter({ cache })];
    const receipt = numbered('shared');
    const first = await Promise.all(['a', 'b', 'c'].map((caller) => one.print(receipt, caller)));
    const second = await another.print(receipt, 'd');
    await another.print(numbered('different'), 'd');
    await Promise.all([one.stop(), another.stop()]);

    expect(new Set([...first, second].map(({ hash }) => hash)).size).toBe(1);
    expect(new Set(keys).size).toBe(2);
    expect(keys).toHaveLength(2);
  });
});

describe('legible text', () => {
  it('has one form of each character', () => {
    expect(legible('e\u0301')).toBe('é');
  });

  it('is one line', () => {
    expect(legible('a\r\n\t\u2028b\u0000')).toBe('a b');
  });

  it('keeps the joiners of scripts and emoji, and no mark that turns the direction of what follows', () => {
    expect(legible('a\u202eb\u2066c\ufeff👨\u200d👩 क्\u200cष')).toBe('abc👨\u200d👩 क्\u200cष');
  });

  it('survives half characters', () => {
    expect(legible('a\ud83d')).toBe('a\ufffd');
  });
});
