import type { Language } from '../../units/language.ts';

/** The content of a receipt. The same receipt gives the same PDF, byte by byte. */
export interface Receipt {
  language: Language;
  orderNo: string;
  buyerName: string;
  buyerEmail: string;
  groupName: string;
  location: string;
  organiser: string;
  admitDate: Date;
  /** Money in sen. */
  lines: { name: string; variant: string; quantity: number; unitPriceSen: bigint }[];
  totalSen: bigint;
  /** For a free order, when it was placed. */
  paidAt: Date;
  /** Empty for a free order. */
  bankName: string;
  gatewayTransactionId: string;
  tickets: { code: string; name: string; variant: string }[];
}

interface Named {
  groupNameBm: string;
  groupNameEn: string;
  groupNameCn: string;
}

/** An order with all that its receipt needs. */
export interface SettledOrder {
  orderNo: string;
  langChosen: string;
  buyerName: string;
  buyerEmail: string;
  admitDate: Date;
  totalAmountSen: bigint;
  paidAt: Date | null;
  createdAt: Date;
  bankName: string;
  gatewayTransactionId: string | null;
  ticketGroup: Named & { location: string; organiserName: string };
  items: (Described & { variant: string; quantityBought: number; unitPriceSen: bigint; tickets: { code: string }[] })[];
}

interface Described {
  itemDesc1: string;
  itemDesc2: string;
  itemDesc3: string;
}

const groupName = { bm: 'groupNameBm', en: 'groupNameEn', cn: 'groupNameCn' } as const;
const itemName = { bm: 'itemDesc1', en: 'itemDesc2', cn: 'itemDesc3' } as const;

/** Makes the receipt of an order in the language of the order. */
export function receiptOf(order: SettledOrder): Receipt {
  const language = order.langChosen as Language;
  return {
    language,
    orderNo: order.orderNo,
    buyerName: order.buyerName,
    buyerEmail: order.buyerEmail,
    groupName: order.ticketGroup[groupName[language]],
    location: order.ticketGroup.location,
    organiser: order.ticketGroup.organiserName,
    admitDate: order.admitDate,
    lines: order.items.map((item) => ({
      name: item[itemName[language]],
      variant: item.variant,
      quantity: item.quantityBought,
      unitPriceSen: item.unitPriceSen,
    })),
    totalSen: order.totalAmountSen,
    paidAt: order.paidAt ?? order.createdAt,
    bankName: order.bankName,
    gatewayTransactionId: order.gatewayTransactionId ?? '',
    tickets: order.items.flatMap((item) =>
      item.tickets.map(({ code }) => ({ code, name: item[itemName[language]], variant: item.variant })),
    ),
  };
}
