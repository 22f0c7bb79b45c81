import type { Language } from '../../units/language.ts';

interface Words {
  /** BCP 47 */
  lang: string;
  subject(groupName: string, day: string): string;
  greeting(name: string): string;
  paid: string;
  free: string;
  attached: string;
  orderNo: string;
  admitDate: string;
  location: string;
  total: string;
  freeOfCharge: string;
  openReceipt: string;
  automatic: string;
}

/** The fixed texts of a confirmation. */
export const wordsOf: Record<Language, Words> = {
  bm: {
    lang: 'ms',
    subject: (groupName, day) => `Tiket anda: ${groupName}, ${day}`,
    greeting: (name) => `Hai ${name},`,
    paid: 'Terima kasih, bayaran anda telah diterima.',
    free: 'Terima kasih, pesanan anda telah disahkan.',
    attached: 'Tiket anda dilampirkan sebagai PDF. Tunjukkan kod QR di pintu masuk.',
    orderNo: 'No. pesanan',
    admitDate: 'Tarikh masuk',
    location: 'Lokasi',
    total: 'Jumlah keseluruhan',
    freeOfCharge: 'Percuma',
    openReceipt: 'Buka resit & tiket',
    automatic: 'E-mel ini dihantar secara automatik untuk pesanan anda.',
  },
  en: {
    lang: 'en',
    subject: (groupName, day) => `Your tickets: ${groupName}, ${day}`,
    greeting: (name) => `Hello ${name},`,
    paid: 'Thank you, your payment has arrived.',
    free: 'Thank you, your order is confirmed.',
    attached: 'Your tickets are attached as a PDF. Show the QR code at the entrance.',
    orderNo: 'Order no.',
    admitDate: 'Admit date',
    location: 'Location',
    total: 'Total',
    freeOfCharge: 'Free',
    openReceipt: 'Open receipt & tickets',
    automatic: 'This e-mail was sent automatically for your order.',
  },
  cn: {
    lang: 'zh-Hans',
    subject: (groupName, day) => `您的门票：${groupName}，${day}`,
    greeting: (name) => `${name}，您好：`,
    paid: '感谢您，我们已收到您的付款。',
    free: '感谢您，您的订单已确认。',
    attached: '门票以 PDF 附件形式发送。入场时请出示二维码。',
    orderNo: '订单号',
    admitDate: '入场日期',
    location: '地点',
    total: '总计',
    freeOfCharge: '免费',
    openReceipt: '打开收据与门票',
    automatic: '本邮件为您的订单自动发送。',
  },
};

interface RefundWords {
  subject(orderNo: string): string;
  tooLate: string;
  comesBack: string;
  amount: string;
}

/** The fixed texts of a notice of a refund. */
export const refundWordsOf: Record<Language, RefundWords> = {
  bm: {
    subject: (orderNo) => `Bayaran balik untuk pesanan ${orderNo}`,
    tooLate:
      'Bayaran anda tiba selepas tempoh pesanan tamat, apabila tiket untuk hari tersebut tidak dapat dikeluarkan lagi.',
    comesBack: 'Wang anda akan dikembalikan sepenuhnya. Anda tidak perlu berbuat apa-apa.',
    amount: 'Jumlah',
  },
  en: {
    subject: (orderNo) => `Refund for order ${orderNo}`,
    tooLate: 'Your payment arrived after the order had expired, when tickets for that day could no longer be issued.',
    comesBack: 'You will get the full amount back. There is nothing that you need to do.',
    amount: 'Amount',
  },
  cn: {
    subject: (orderNo) => `订单 ${orderNo} 的退款`,
    tooLate: '您的付款在订单过期之后才到达，届时已无法再为您出具当天的门票。',
    comesBack: '我们将全额退款，您无需进行任何操作。',
    amount: '金额',
  },
};
