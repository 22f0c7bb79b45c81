import type { PaymentStateQuery } from '../generated/operations.ts';
import { languages, tagOf, type Language } from '@foyer/shared/http/language';

import { isLanguage } from '../login/language.ts';

type Status = NonNullable<PaymentStateQuery['paymentState']>['transactionStatus'];

/** A headline, and a sentence under it. */
type Said = readonly [title: string, words: string];

/** The reasons that keep a buyer from a payment (docs/errors.md). */
type Refused = 'ORDER_NOT_FOUND' | 'ORDER_NOT_PAYABLE' | 'AMOUNT_OUT_OF_RANGE' | 'FORM_MISMATCH' | 'PAYMENT_TOKEN_USED';

/** The server can't print it now; too many requests; the order is not paid; there is no such order. */
export type NoReceipt = 'later' | 'tooMany' | 'notPaid' | 'noOrder';

/** All texts of the payment pages. */
interface Words {
  states: Record<Status, Said>;
  statusOf: Record<Status, string>;
  /** A payment came that does not match: the page must not say that nothing happened. */
  reviewed: Said;
  /** The payment that came goes back, because it could not be used. */
  refunded: Said;
  unreadable: Said;
  /** The server can't say how the payment stands; the browser asks again by itself. */
  safe: Said;
  /** The server could not start the payment. */
  notStarted: Said;
  order: string;
  receipt: string;
  /** Why a browser can't have its receipt. */
  noReceipt: Record<NoReceipt, Said>;
  /** Sends a buyer to the bank, for the first time and once more. */
  pay: string;
  payAgain: string;
  orderAgain: string;
  toShop: string;
  toBank: Record<'title' | 'noScript' | 'submit', string> & { lead(amount: string): string };
  refusedTitle: string;
  refusals: Record<Refused, string>;
  tooMany: string;
  trouble: string;
}

const wordsOf: Record<Language, Words> = {
  bm: {
    states: {
      SUCCESS: ['Terima kasih', 'Bayaran anda telah diterima. Tiket sedang dihantar ke peti masuk anda.'],
      FREE: ['Terima kasih', 'Tiket anda sedang dihantar ke peti masuk anda.'],
      PENDING: [
        'Menunggu bank anda',
        'Bank anda belum mengesahkan bayaran ini. Halaman ini menyemak semula dengan sendirinya.',
      ],
      INITIATED: ['Belum dibayar', 'Pesanan ini menunggu bayarannya.'],
      FAILED: [
        'Bayaran tidak berjaya',
        'Tiada apa-apa yang dijual dan tiada tiket dikeluarkan. Anda boleh membuat pesanan sekali lagi.',
      ],
    },
    statusOf: { SUCCESS: 'Berjaya', FREE: 'Percuma', PENDING: 'Menunggu', INITIATED: 'Belum dibayar', FAILED: 'Gagal' },
    reviewed: [
      'Kami sedang menyemak bayaran anda',
      'Bank anda memaklumkan satu bayaran, dan kakitangan kami perlu menyemaknya. Anda tidak perlu membayar lagi.',
    ],
    refunded: [
      'Bayaran anda dikembalikan',
      'Bayaran anda tidak dapat digunakan untuk pesanan ini dan tiada tiket dikeluarkan. Wang anda akan dikembalikan sepenuhnya.',
    ],
    unreadable: [
      'Bayaran',
      'Bayaran ini tidak dapat dibaca. Jika wang telah keluar dari akaun anda, kami akan mengesannya.',
    ],
    safe: [
      'Bayaran anda selamat',
      'Kami tidak dapat memaparkan pesanan anda buat masa ini. Jika anda telah membayar di bank, bayaran itu tidak hilang: kami akan merekodkannya dan menghantar tiket melalui e-mel. Jangan bayar lagi. Halaman ini dimuat semula dengan sendirinya.',
    ],
    notStarted: [
      'Bayaran belum dimulakan',
      'Sistem kami tidak menjawab buat masa ini. Tiada wang diambil. Kembali ke halaman sebelumnya dan cuba lagi sebentar nanti.',
    ],
    order: 'Pesanan',
    receipt: 'Tiket anda dalam PDF',
    noReceipt: {
      later: [
        'Tiket anda belum dapat dipaparkan',
        'Sistem kami sibuk buat masa ini. Tiket anda selamat: halaman ini akan memaparkannya dengan sendirinya sebentar lagi. Tiket juga dihantar melalui e-mel.',
      ],
      tooMany: [
        'Tunggu sebentar',
        'Terlalu banyak permintaan dari rangkaian anda. Halaman ini akan memaparkan tiket anda dengan sendirinya.',
      ],
      notPaid: ['Belum ada tiket', 'Pesanan ini belum dibayar.'],
      noOrder: ['Tiada pesanan sedemikian', 'Semak pautan atau nombor pesanan dalam e-mel anda.'],
    },
    pay: 'Bayar sekarang',
    payAgain: 'Buka bank sekali lagi',
    orderAgain: 'Pesan semula',
    toShop: 'Kembali ke pesanan anda',
    toBank: {
      title: 'Ke bank anda',
      lead: (amount) => `RM ${amount}. Kami membawa anda ke gerbang pembayaran.`,
      noScript: 'Pelayar anda tidak menjalankan skrip: tekan butang untuk meneruskan.',
      submit: 'Teruskan ke bank',
    },
    refusedTitle: 'Bayaran tidak dapat dimulakan',
    refusals: {
      ORDER_NOT_FOUND: 'Tiada pesanan sedemikian.',
      ORDER_NOT_PAYABLE: 'Pesanan ini tidak boleh dibayar lagi.',
      AMOUNT_OUT_OF_RANGE: 'Jumlah ini tidak boleh dibayar melalui jenis bank ini: pilih jenis yang lain.',
      FORM_MISMATCH: 'Borang pembayaran tidak sepadan dengan pesanan.',
      PAYMENT_TOKEN_USED: 'Borang pembayaran ini telah digunakan atau terlalu lama: mulakan semula.',
    },
    tooMany: 'Terlalu banyak percubaan. Kembali ke halaman sebelumnya, tunggu seminit dan cuba lagi.',
    trouble: 'Borang ini tidak dapat dibaca.',
  },
  en: {
    states: {
      SUCCESS: ['Thank you', 'Your payment has arrived. The tickets are on their way to your inbox.'],
      FREE: ['Thank you', 'Your tickets are on their way to your inbox.'],
      PENDING: [
        'Waiting for your bank',
        'Your bank has not confirmed the payment yet. This page looks again by itself.',
      ],
      INITIATED: ['Not paid yet', 'This order waits for its payment.'],
      FAILED: ['The payment did not go through', 'Nothing was sold, and no ticket was issued. You may order again.'],
    },
    statusOf: { SUCCESS: 'Paid', FREE: 'Free', PENDING: 'Waiting', INITIATED: 'Not paid yet', FAILED: 'Failed' },
    reviewed: [
      'We are looking into your payment',
      'Your bank told us of a payment, and somebody of our staff has to look at it. You need not pay again.',
    ],
    refunded: [
      'Your payment goes back to you',
      'It could not be used for this order, and no ticket was issued. You get the full amount back.',
    ],
    unreadable: ['Payment', 'This payment could not be read. If money has left your account, we will find it.'],
    safe: [
      'Your payment is safe',
      'We can not show your order at this moment. If you have paid at your bank, that payment is not lost: we record it, and mail you the tickets. Do not pay again. This page reloads itself.',
    ],
    notStarted: [
      'The payment has not started',
      'Our system does not answer at this moment. No money was taken. Go back to the page before, and try again in a moment.',
    ],
    order: 'Order',
    receipt: 'Your tickets as PDF',
    noReceipt: {
      later: [
        'Your tickets can not be shown yet',
        'Our system is busy at this moment. Your tickets are safe: this page shows them by itself in a moment. We mail them to you, too.',
      ],
      tooMany: [
        'One moment, please',
        'There were too many requests from your network. This page shows your tickets by itself.',
      ],
      notPaid: ['There are no tickets yet', 'This order is not paid.'],
      noOrder: ['There is no such order', 'Check the link, or the order number in your mail.'],
    },
    pay: 'Pay now',
    payAgain: 'Open the bank again',
    orderAgain: 'Order again',
    toShop: 'Back to your order',
    toBank: {
      title: 'To your bank',
      lead: (amount) => `RM ${amount}. We are taking you to the payment gateway.`,
      noScript: 'Your browser runs no scripts: press the button to go on.',
      submit: 'Continue to the bank',
    },
    refusedTitle: 'The payment can not be started',
    refusals: {
      ORDER_NOT_FOUND: 'There is no such order.',
      ORDER_NOT_PAYABLE: 'This order can no longer be paid.',
      AMOUNT_OUT_OF_RANGE: 'This kind of bank does not take this amount: choose the other kind.',
      FORM_MISMATCH: 'The payment form does not agree with the order.',
      PAYMENT_TOKEN_USED: 'This payment form was used already or is too old: start again.',
    },
    tooMany: 'There were too many attempts. Go back to the page before, wait a minute, and try again.',
    trouble: 'This form can not be read.',
  },
  cn: {
    states: {
      SUCCESS: ['谢谢', '您的付款已到账。门票正在发送到您的邮箱。'],
      FREE: ['谢谢', '您的门票正在发送到您的邮箱。'],
      PENDING: ['正在等待您的银行', '您的银行尚未确认此付款。本页面会自动再次查看。'],
      INITIATED: ['尚未付款', '此订单正在等待付款。'],
      FAILED: ['付款未成功', '没有售出任何门票，也未出票。您可以重新下单。'],
    },
    statusOf: { SUCCESS: '已付款', FREE: '免费', PENDING: '等待中', INITIATED: '尚未付款', FAILED: '失败' },
    reviewed: ['我们正在核查您的付款', '您的银行通知了我们一笔付款，需要由我们的工作人员核查。您无需再次付款。'],
    refunded: ['我们将退还您的付款', '该付款未能用于此订单，也未出票。我们将全额退款。'],
    unreadable: ['付款', '无法读取此付款。如果款项已从您的账户扣除，我们会查明。'],
    safe: [
      '您的付款是安全的',
      '我们暂时无法显示您的订单。如果您已在银行付款，该款项不会丢失：我们会记录付款，并将门票发送到您的邮箱。请勿再次付款。本页面会自动重新加载。',
    ],
    notStarted: ['付款尚未开始', '我们的系统暂时没有响应。没有扣款。请返回上一页，稍后再试。'],
    order: '订单',
    receipt: '您的门票（PDF）',
    noReceipt: {
      later: [
        '暂时无法显示您的门票',
        '系统目前繁忙。您的门票是安全的：本页面稍后会自动显示，我们也会通过邮件发送给您。',
      ],
      tooMany: ['请稍候', '来自您网络的请求过多。本页面会自动显示您的门票。'],
      notPaid: ['还没有门票', '此订单尚未付款。'],
      noOrder: ['没有这个订单', '请检查链接，或核对邮件中的订单号。'],
    },
    pay: '立即付款',
    payAgain: '重新打开银行页面',
    orderAgain: '重新下单',
    toShop: '返回您的订单',
    toBank: {
      title: '前往您的银行',
      lead: (amount) => `RM ${amount}。我们正在带您前往支付网关。`,
      noScript: '您的浏览器不运行脚本：请按按钮继续。',
      submit: '前往银行',
    },
    refusedTitle: '无法开始付款',
    refusals: {
      ORDER_NOT_FOUND: '没有这个订单。',
      ORDER_NOT_PAYABLE: '此订单不能再付款。',
      AMOUNT_OUT_OF_RANGE: '这类银行不接受此金额：请选择另一类。',
      FORM_MISMATCH: '付款表单与订单不符。',
      PAYMENT_TOKEN_USED: '此付款表单已被使用或已过期：请重新开始。',
    },
    tooMany: '尝试次数过多。请返回上一页，等一分钟后再试。',
    trouble: '无法读取此表单。',
  },
};

/** The texts in one language. */
export interface Spoken {
  /** BCP 47 */
  lang: string;
  words: Words;
}

/** The texts in a known language, as of an order or a browser; in all three for an unknown one. */
export function spokenIn(langChosen: unknown): [Spoken, ...Spoken[]] {
  const [first, ...others] = isLanguage(langChosen) ? ([langChosen] as const) : languages;
  return [first, ...others].map((language) => ({ lang: tagOf[language], words: wordsOf[language] })) as [
    Spoken,
    ...Spoken[],
  ];
}

/** The text of a refusal for a buyer. */
export function refusalWords({ refusals, tooMany, trouble }: Words, code: string, status: number): string {
  if (Object.hasOwn(refusals, code)) return refusals[code as Refused];
  return status === 429 ? tooMany : trouble;
}
