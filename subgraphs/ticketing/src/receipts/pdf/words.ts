import type { Language } from '../../units/language.ts';

interface Words {
  title: string;
  tickets: string;
  ticketOf(serial: number, count: number): string;
  orderNo: string;
  buyer: string;
  admitDate: string;
  location: string;
  organiser: string;
  description: string;
  quantity: string;
  unitPrice: string;
  amount: string;
  total: string;
  free: string;
  paidAt: string;
  bank: string;
  reference: string;
  showCode: string;
  page(number: number, count: number): string;
}

/** The fixed texts of a receipt. */
export const wordsOf: Record<Language, Words> = {
  bm: {
    title: 'Resit & tiket',
    tickets: 'Tiket anda',
    ticketOf: (serial, count) => `Tiket ${serial}/${count}`,
    orderNo: 'No. pesanan',
    buyer: 'Pembeli',
    admitDate: 'Tarikh masuk',
    location: 'Lokasi',
    organiser: 'Penganjur',
    description: 'Butiran',
    quantity: 'Kuantiti',
    unitPrice: 'Harga (RM)',
    amount: 'Jumlah (RM)',
    total: 'Jumlah keseluruhan',
    free: 'Percuma',
    paidAt: 'Dibayar pada',
    bank: 'Bank',
    reference: 'Rujukan bayaran',
    showCode: 'Tunjukkan kod ini di pintu masuk. Satu kod untuk satu kemasukan.',
    page: (number, count) => `Halaman ${number}/${count}`,
  },
  en: {
    title: 'Receipt & tickets',
    tickets: 'Your tickets',
    ticketOf: (serial, count) => `Ticket ${serial}/${count}`,
    orderNo: 'Order no.',
    buyer: 'Buyer',
    admitDate: 'Admit date',
    location: 'Location',
    organiser: 'Organiser',
    description: 'Description',
    quantity: 'Quantity',
    unitPrice: 'Price (RM)',
    amount: 'Amount (RM)',
    total: 'Total',
    free: 'Free',
    paidAt: 'Paid at',
    bank: 'Bank',
    reference: 'Payment reference',
    showCode: 'Show this code at the entrance. One code admits one person.',
    page: (number, count) => `Page ${number}/${count}`,
  },
  cn: {
    title: '收据与门票',
    tickets: '您的门票',
    ticketOf: (serial, count) => `门票 ${serial}/${count}`,
    orderNo: '订单号',
    buyer: '购买人',
    admitDate: '入场日期',
    location: '地点',
    organiser: '主办方',
    description: '项目',
    quantity: '数量',
    unitPrice: '单价 (RM)',
    amount: '金额 (RM)',
    total: '总计',
    free: '免费',
    paidAt: '付款时间',
    bank: '银行',
    reference: '付款参考号',
    showCode: '入场时请出示此二维码。一码一人。',
    page: (number, count) => `第 ${number}/${count} 页`,
  },
};

const locales = { bm: 'ms-MY', en: 'en-MY', cn: 'zh-CN' } as const;

/** One formatter for each language: making one takes longer than writing a date. */
const formatters = (options: Intl.DateTimeFormatOptions) => ({
  bm: new Intl.DateTimeFormat(locales.bm, options),
  en: new Intl.DateTimeFormat(locales.en, options),
  cn: new Intl.DateTimeFormat(locales.cn, options),
});
const days = formatters({ dateStyle: 'full', timeZone: 'UTC' });
const moments = formatters({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kuala_Lumpur' });

/** Writes a calendar day in words, such as `Thursday, 24 December 2026`. */
export const dayInWords = (day: Date, language: Language) => days[language].format(day);

/** Writes a moment in Malaysian time. */
export const momentInWords = (moment: Date, language: Language) => moments[language].format(moment);

/** Writes sen as ringgit, such as `1,250.00`. */
export function amountText(sen: bigint): string {
  const whole = (sen / 100n).toString().replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${whole}.${(sen % 100n).toString().padStart(2, '0')}`;
}
