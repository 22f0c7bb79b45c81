import type { Language } from './languages.ts';

type InEachLanguage = Record<Language, string>;

const texts = {
  UNKNOWN: {
    en: 'Something went wrong on our side. Please try again.',
    bm: 'Berlaku masalah di pihak kami. Sila cuba lagi.',
    cn: '系统出现问题，请重试。',
  },
  NETWORK: {
    en: 'There is no connection. Check your network and try again.',
    bm: 'Tiada sambungan. Semak rangkaian anda dan cuba lagi.',
    cn: '没有网络连接，请检查后重试。',
  },
  UNCERTAIN: {
    en: 'We do not know yet whether this was done. Load the page again, and look before you repeat it.',
    bm: 'Kami belum pasti sama ada ini telah selesai. Muat semula halaman dan semak sebelum mengulanginya.',
    cn: '尚不确定操作是否完成。请重新加载页面，查看后再决定是否重试。',
  },
  BUSY: {
    en: 'We are very busy. Nothing was changed; please try again in a moment.',
    bm: 'Sistem kami sangat sibuk. Tiada apa-apa berubah; sila cuba sebentar lagi.',
    cn: '系统繁忙，未作任何更改，请稍后重试。',
  },
  TOO_MANY: {
    en: 'Too many attempts. Please wait a moment and try again.',
    bm: 'Terlalu banyak percubaan. Sila tunggu sebentar dan cuba lagi.',
    cn: '尝试次数过多，请稍候再试。',
  },
  SIGN_IN: {
    en: 'Please sign in first.',
    bm: 'Sila log masuk dahulu.',
    cn: '请先登录。',
  },
  FORBIDDEN: {
    en: 'You do not have permission for this.',
    bm: 'Anda tidak mempunyai kebenaran untuk ini.',
    cn: '您没有此操作的权限。',
  },
  VALIDATION_FAILED: {
    en: 'Please check what you have entered.',
    bm: 'Sila semak maklumat yang anda masukkan.',
    cn: '请检查您输入的内容。',
  },
  EMAIL_NOT_VALID: {
    en: 'Please check the e-mail address.',
    bm: 'Sila semak alamat e-mel.',
    cn: '请检查电邮地址。',
  },
  INVALID_CREDENTIALS: {
    en: 'These do not match. Check them and try again.',
    bm: 'Maklumat log masuk tidak sepadan. Semak dan cuba lagi.',
    cn: '登录信息不正确，请检查后重试。',
  },
  ACCOUNT_NOT_ACTIVE: {
    en: 'This account can not sign in at the moment. Ask your administrator.',
    bm: 'Akaun ini tidak boleh log masuk buat masa ini. Hubungi pentadbir anda.',
    cn: '此账户目前无法登录，请联系管理员。',
  },
  PASSWORD_TOO_SIMPLE: {
    en: 'This password is too simple. Use at least eight characters with capitals, small letters, digits and a symbol.',
    bm: 'Kata laluan ini terlalu mudah. Gunakan sekurang-kurangnya lapan aksara dengan huruf besar, huruf kecil, angka dan simbol.',
    cn: '密码过于简单。请使用至少八个字符，并包含大小写字母、数字和符号。',
  },
  PASSWORD_TOO_LONG: {
    en: 'This password is too long.',
    bm: 'Kata laluan ini terlalu panjang.',
    cn: '密码过长。',
  },
  PASSWORD_CHANGE_REQUIRED: {
    en: 'Choose a new password on the sign-in page first.',
    bm: 'Pilih kata laluan baharu di halaman log masuk dahulu.',
    cn: '请先在登录页面设定新密码。',
  },
  NOT_ON_SALE: {
    en: 'These tickets are not on sale at the moment.',
    bm: 'Tiket ini tidak dijual buat masa ini.',
    cn: '此门票目前不出售。',
  },
  INVALID_DATE: {
    en: 'Tickets are not sold for this day. Choose another one.',
    bm: 'Tiket tidak dijual untuk hari ini. Pilih hari lain.',
    cn: '该日期不售票，请选择其他日期。',
  },
  DATE_CLOSED: {
    en: 'There is no admission on this day. Choose another one.',
    bm: 'Tiada kemasukan pada hari ini. Pilih hari lain.',
    cn: '该日期不开放，请选择其他日期。',
  },
  LIMIT: {
    en: 'An order is for 1 to {limit} tickets.',
    bm: 'Satu pesanan adalah untuk 1 hingga {limit} tiket.',
    cn: '每个订单可购 1 至 {limit} 张门票。',
  },
  SOLD_OUT: {
    en: 'Not enough tickets are left for this day. Choose another day, or fewer tickets.',
    bm: 'Tiket untuk hari ini tidak mencukupi. Pilih hari lain atau kurangkan tiket.',
    cn: '该日期余票不足，请选择其他日期或减少张数。',
  },
  PRICE_MISMATCH: {
    en: 'The price has just changed. Check the new total and order again.',
    bm: 'Harga baru sahaja berubah. Semak jumlah baharu dan pesan semula.',
    cn: '价格刚刚变动，请核对新的总额后重新下单。',
  },
  ITEM_NOT_OFFERED: {
    en: 'One of these tickets is no longer offered. Load the page again.',
    bm: 'Salah satu tiket ini tidak lagi ditawarkan. Muat semula halaman.',
    cn: '其中一种门票已不再提供，请重新加载页面。',
  },
  AMOUNT_OUT_OF_RANGE: {
    en: 'Banks do not accept a payment of this amount. Change the number of tickets.',
    bm: 'Bank tidak menerima bayaran sebanyak ini. Ubah bilangan tiket.',
    cn: '银行不接受此金额，请更改张数。',
  },
  CUSTOMER_NOT_VALID: {
    en: 'This account can not order. Sign in again.',
    bm: 'Akaun ini tidak boleh membuat pesanan. Log masuk semula.',
    cn: '此账户无法下单，请重新登录。',
  },
  ORDER_UNCERTAIN: {
    en: 'We do not know yet whether your order was placed. Press the button again: it is never placed twice.',
    bm: 'Kami belum pasti sama ada pesanan anda diterima. Tekan butang sekali lagi: ia tidak akan dibuat dua kali.',
    cn: '尚不确定订单是否成功。请再按一次按钮，不会重复下单。',
  },
  IDEMPOTENCY_KEY_REUSED: {
    en: 'This order was sent before, and may have been placed. Look at “My orders” or into your mail before you order again.',
    bm: 'Pesanan ini telah dihantar sebelum ini dan mungkin telah diterima. Semak “Pesanan saya” atau e-mel anda sebelum memesan semula.',
    cn: '此订单先前已提交，可能已经成功。重新下单前，请先查看“我的订单”或您的邮箱。',
  },
  RECEIPTS_BUSY: {
    en: 'Many people are fetching their tickets at this moment. Yours are safe: try again soon. We mail them to you, too.',
    bm: 'Ramai orang sedang mengambil tiket mereka. Tiket anda selamat: cuba lagi sebentar. Tiket juga dihantar melalui e-mel.',
    cn: '目前取票的人较多。您的门票是安全的，请稍后再试，我们也会通过邮件发送给您。',
  },
  PAYMENT_TOKEN_USED: {
    en: 'This payment form was used before, or is too old. Start the payment again.',
    bm: 'Borang bayaran ini telah digunakan atau terlalu lama. Mulakan bayaran semula.',
    cn: '此付款表单已被使用或已过期，请重新开始付款。',
  },
  ORDER_NOT_FOUND: {
    en: 'No order has this number and e-mail address.',
    bm: 'Tiada pesanan dengan nombor dan alamat e-mel ini.',
    cn: '没有与此订单号和电邮地址相符的订单。',
  },
  ORDER_NOT_PAID: {
    en: 'There are no tickets yet: this order is not paid.',
    bm: 'Tiket belum ada kerana pesanan ini belum dibayar.',
    cn: '此订单尚未付款，还没有门票。',
  },
  ORDER_NOT_PAYABLE: {
    en: 'This order can no longer be paid.',
    bm: 'Pesanan ini tidak boleh dibayar lagi.',
    cn: '此订单不能再付款。',
  },
  ORDER_NOT_CANCELLABLE: {
    en: 'This order can no longer be cancelled: its payment has begun.',
    bm: 'Pesanan ini tidak boleh dibatalkan lagi kerana bayarannya telah bermula.',
    cn: '此订单已开始付款，无法取消。',
  },
  PAYMENT_GATEWAY_DOWN: {
    en: 'The bank does not answer at the moment. Your places stay held; try again soon.',
    bm: 'Bank tidak menjawab buat masa ini. Tempat anda masih disimpan; cuba lagi sebentar.',
    cn: '银行暂时没有回应。名额仍为您保留，请稍后再试。',
  },
  TOO_MANY_OPEN_ORDERS: {
    en: 'You have several unpaid orders. Pay for one, cancel one, or wait until it expires.',
    bm: 'Anda mempunyai beberapa pesanan yang belum dibayar. Bayar atau batalkan salah satu, atau tunggu sehingga ia tamat tempoh.',
    cn: '您有多个未付款的订单。请先付款、取消其中一个，或等待其过期。',
  },
  MEDIA_QUOTA_EXCEEDED: {
    en: 'There is no room left for this file.',
    bm: 'Tiada ruang lagi untuk fail ini.',
    cn: '空间不足，无法上传此文件。',
  },
  UPLOAD_TOO_LARGE: {
    en: 'This file is too large.',
    bm: 'Fail ini terlalu besar.',
    cn: '文件过大。',
  },
  UPLOAD_REJECTED: {
    en: 'The server does not take this upload any more. Remove it, and choose the file again.',
    bm: 'Pelayan tidak lagi menerima muat naik ini. Buang muat naik ini dan pilih fail sekali lagi.',
    cn: '服务器不再接受此上传。请移除后重新选择文件。',
  },
  CHANGED: {
    en: 'Something has changed meanwhile. Load the page again.',
    bm: 'Sesuatu telah berubah. Muat semula halaman.',
    cn: '内容已发生变化，请重新加载页面。',
  },
  STORE_AWAY: {
    en: 'Files can not be stored at the moment. Try again soon.',
    bm: 'Fail tidak dapat disimpan buat masa ini. Cuba lagi sebentar.',
    cn: '目前无法存储文件，请稍后再试。',
  },
} satisfies Record<string, InEachLanguage>;

/** Reasons that say the same to a person. A reason with a text of its own is not listed. */
export const sameAs: Record<string, keyof typeof texts> = {
  DATABASE_BUSY: 'BUSY',
  SUBGRAPH_UNAVAILABLE: 'BUSY',
  SERVER_STOPPING: 'BUSY',
  SUBGRAPH_TIMEOUT: 'BUSY',
  REVOCATION_UNKNOWN: 'BUSY',
  REQUEST_TIMEOUT: 'BUSY',
  JWKS_UNAVAILABLE: 'BUSY',
  IDENTITY_PROVIDER_DOWN: 'BUSY',
  LICENSE_EXPIRED: 'ACCOUNT_NOT_ACTIVE',
  RATE_LIMITED: 'TOO_MANY',
  TOO_MANY_REQUESTS: 'TOO_MANY',
  TOO_MANY_OPERATIONS: 'TOO_MANY',
  TOO_MANY_STREAMS: 'TOO_MANY',
  PLANNING_BUDGET: 'TOO_MANY',
  UNAUTHENTICATED: 'SIGN_IN',
  TOKEN_EXPIRED: 'SIGN_IN',
  TOKEN_REVOKED: 'SIGN_IN',
  RIGHTS_CHANGED: 'FORBIDDEN',
  WORKSPACE_NOT_FOUND: 'FORBIDDEN',
  TENANT_TAKEN: 'FORBIDDEN',
  BAD_USER_INPUT: 'VALIDATION_FAILED',
  COMPANY_CODE_REQUIRED: 'VALIDATION_FAILED',
  ORG_PENDING: 'ACCOUNT_NOT_ACTIVE',
  ORG_DISABLED: 'ACCOUNT_NOT_ACTIVE',
  ACCOUNT_DISABLED: 'ACCOUNT_NOT_ACTIVE',
  ACCOUNT_PENDING: 'ACCOUNT_NOT_ACTIVE',
  ACCOUNT_INVITED: 'ACCOUNT_NOT_ACTIVE',
  TICKET_GROUP_NOT_FOUND: 'NOT_ON_SALE',
  USE_FREE_ROUTE: 'PRICE_MISMATCH',
  NOT_FREE: 'PRICE_MISMATCH',
  CUSTOMER_NOT_FOUND: 'CUSTOMER_NOT_VALID',
  FORM_MISMATCH: 'ORDER_NOT_PAYABLE',
  MEDIA_NOT_FOUND: 'CHANGED',
  TRANSCODING_PROFILE_NOT_FOUND: 'CHANGED',
  UPLOAD_TOKEN_INVALID: 'UPLOAD_REJECTED',
  UPLOAD_TOKEN_USED: 'UPLOAD_REJECTED',
  UPLOAD_SIZE_DIFFERS: 'UPLOAD_REJECTED',
  STORE_FULL: 'STORE_AWAY',
  STORE_READ_ONLY: 'STORE_AWAY',
  PAYLOAD_TOO_LARGE: 'UPLOAD_TOO_LARGE',
};

/** The text for a reason of docs/errors.md; undefined for one that people can't meet here. */
export function textOf(reason: string, language: Language): string | undefined {
  const known = sameAs[reason] ?? reason;
  return Object.hasOwn(texts, known) ? texts[known as keyof typeof texts][language] : undefined;
}
