import type {
  Column,
  Content,
  ContentStack,
  ContentText,
  TableCell,
  TDocumentDefinitions,
} from 'pdfmake/interfaces.js';

import { linesOfText, type Measure, type Setting } from './lines-of-text.ts';
import { qrImage } from './qr-image.ts';
import type { Receipt } from './receipt.ts';
import { amountText, dayInWords, momentInWords, wordsOf } from './words.ts';

const ink = '#1f1d36';
const accent = '#a5295c';
const quiet = '#6b6880';
const line = '#dcd9e6';
const paper = '#faf7fb';

/** The widths of what is drawn, in points. */
const FULL = 499.28;
const HALF = (FULL - 24) / 2;
const NUMBERS = [55, 75, 80];
const DESCRIPTION = FULL - 210;
const CODE = 126;
const CARD_TEXT = 315;

/** `#rrggbb` as red, green and blue. */
const rgb = (color: string) => [...Buffer.from(color.slice(1), 'hex')];

/** Lays out a receipt for pdfmake to draw. */
export function receiptDocument(receipt: Receipt, { measure }: { measure: Measure }): TDocumentDefinitions {
  const words = wordsOf[receipt.language];
  const set: SetText = (text, setting) => ({ ...linesOfText(text, measure, setting), ...withoutWidth(setting) });
  return {
    pageSize: 'A4',
    pageMargins: [48, 92, 48, 56],
    version: '1.7',
    language: { bm: 'ms', en: 'en', cn: 'zh-Hans' }[receipt.language],
    // The creation date would be the moment of drawing: with this one, drawing twice gives the same bytes.
    info: { title: `${words.title} ${receipt.orderNo}`, author: 'Foyer', creationDate: receipt.paidAt },
    defaultStyle: { font: 'Noto', fontSize: 10, color: ink, lineHeight: 1.15 },
    background: () => ({ canvas: [{ type: 'rect', x: 0, y: 0, w: 595.28, h: 64, color: ink }] }),
    header: {
      margin: [48, 22, 48, 0],
      columns: [
        { text: 'FOYER', bold: true, fontSize: 15, characterSpacing: 4, color: '#ffffff' },
        { text: words.title, alignment: 'right', fontSize: 11, color: '#ffffff', margin: [0, 3, 0, 0] },
      ],
    },
    footer: (page, pages) => ({
      margin: [48, 20, 48, 0],
      columns: [
        { text: receipt.orderNo, fontSize: 8, color: quiet },
        { text: words.page(page, pages), fontSize: 8, color: quiet, alignment: 'right' },
      ],
    }),
    content: [heading(receipt, set), facts(receipt, set), lines(receipt, set), ...tickets(receipt, set)],
  };
}

/** Sets a text of buyers or organizers, in any script. */
type SetText = (text: string, setting: Setting) => ContentText | ContentStack;

const withoutWidth = ({ width: _width, ...setting }: Setting) => setting;

const heading = ({ groupName, admitDate, language }: Receipt, set: SetText): Content => [
  { ...set(groupName, { width: FULL, bold: true, fontSize: 20 }), lineHeight: 1.05 },
  { text: dayInWords(admitDate, language), fontSize: 12, color: accent, bold: true, margin: [0, 4, 0, 18] },
];

function facts(receipt: Receipt, set: SetText): Content {
  const words = wordsOf[receipt.language];
  const all: [string, ...string[]][] = [
    [words.orderNo, receipt.orderNo],
    [words.buyer, receipt.buyerName, receipt.buyerEmail],
    [words.location, receipt.location],
    [words.organiser, receipt.organiser],
    [words.paidAt, momentInWords(receipt.paidAt, receipt.language)],
    [words.bank, receipt.bankName],
    [words.reference, receipt.gatewayTransactionId],
  ];
  const known = all.filter(([, ...values]) => values.some((value) => value !== ''));
  const half = Math.ceil(known.length / 2);
  const column = (pairs: [string, ...string[]][]): Column => ({
    width: HALF,
    stack: pairs.map(([name, ...values]) => [
      { text: name, fontSize: 8, color: quiet, noWrap: true },
      { stack: values.map((value) => set(value, { width: HALF, fontSize: 10 })), margin: [0, 1, 0, 9] },
    ]),
  });
  return { columns: [column(known.slice(0, half)), column(known.slice(half))], columnGap: 24, margin: [0, 0, 0, 10] };
}

function lines(receipt: Receipt, set: SetText): Content {
  const words = wordsOf[receipt.language];
  const head = (text: string, alignment: 'left' | 'right' = 'right'): TableCell => ({
    text,
    alignment,
    fontSize: 8,
    color: quiet,
  });
  const number = (text: string, bold = false): TableCell => ({ text, alignment: 'right', bold });
  const price = (sen: bigint) => number(sen === 0n ? words.free : amountText(sen));
  const total = receipt.totalSen === 0n ? words.free : `RM ${amountText(receipt.totalSen)}`;

  return {
    table: {
      headerRows: 1,
      widths: [DESCRIPTION, ...NUMBERS],
      body: [
        [head(words.description, 'left'), head(words.quantity), head(words.unitPrice), head(words.amount)],
        ...receipt.lines.map(({ name, variant, quantity, unitPriceSen }): TableCell[] => [
          {
            stack: [
              set(name, { width: DESCRIPTION, fontSize: 10 }),
              ...(variant && variant !== name
                ? [{ ...set(variant, { width: DESCRIPTION, fontSize: 8 }), color: quiet }]
                : []),
            ],
          },
          number(String(quantity)),
          price(unitPriceSen),
          price(unitPriceSen * BigInt(quantity)),
        ]),
        [{ text: words.total, bold: true, colSpan: 2, fontSize: 12 }, '', { ...bigTotal(total), colSpan: 2 }, ''],
      ],
    },
    layout: {
      hLineWidth: (index, { table }) => (index === 0 ? 0 : index >= table.body.length - 1 ? 1 : 0.5),
      vLineWidth: () => 0,
      hLineColor: (index, { table }) => (index >= table.body.length - 1 ? ink : line),
      paddingTop: () => 6,
      paddingBottom: () => 6,
      paddingLeft: () => 0,
      paddingRight: () => 0,
    },
    margin: [0, 0, 0, 26],
  };
}

const bigTotal = (text: string) => ({ text, alignment: 'right' as const, bold: true, fontSize: 12, color: accent });

function tickets(receipt: Receipt, set: SetText): Content[] {
  const words = wordsOf[receipt.language];
  const [first, ...others] = receipt.tickets.map((ticket, index) => ticketCard(receipt, ticket, index + 1, set));
  if (!first) return [];
  const title: Content = [
    { text: words.tickets, bold: true, fontSize: 14 },
    { text: words.showCode, color: quiet, fontSize: 9, margin: [0, 2, 0, 10] },
  ];
  return [{ stack: [title, first], unbreakable: true }, ...others]; // a title never ends a page
}

/** The card of one ticket: its code, and what it admits to. It is never split over two pages. */
function ticketCard(receipt: Receipt, ticket: Receipt['tickets'][number], serial: number, set: SetText): Content {
  const words = wordsOf[receipt.language];
  const about: Content[] = [
    { text: words.ticketOf(serial, receipt.tickets.length), color: accent, bold: true, fontSize: 9 },
    { ...set(receipt.groupName, { width: CARD_TEXT, bold: true, fontSize: 13 }), margin: [0, 3, 0, 0] },
    { ...set(ticket.name, { width: CARD_TEXT, fontSize: 10 }), margin: [0, 2, 0, 6] },
    { text: dayInWords(receipt.admitDate, receipt.language), bold: true },
    ...(receipt.location ? [{ ...set(receipt.location, { width: CARD_TEXT, fontSize: 10 }), color: quiet }] : []),
    { text: receipt.orderNo, fontSize: 8, color: quiet, margin: [0, 6, 0, 0] },
  ];
  return {
    unbreakable: true,
    margin: [0, 0, 0, 12],
    table: {
      widths: [132, '*'],
      body: [
        [
          { image: qrImage(ticket.code, [rgb(paper), rgb(ink)]), width: CODE },
          { stack: about, margin: [6, 4, 0, 0] },
        ],
      ],
    },
    layout: {
      fillColor: () => paper,
      hLineWidth: () => 0.75,
      vLineWidth: (index) => (index === 1 ? 0 : 0.75),
      hLineColor: () => line,
      vLineColor: () => line,
      paddingTop: () => 12,
      paddingBottom: () => 12,
      paddingLeft: () => 14,
      paddingRight: () => 8,
    },
  };
}
