import { createContext, useContext } from 'react';

export const languages = { bm: 'Bahasa Melayu', en: 'English', cn: '中文' } as const;
export type Language = keyof typeof languages;
export const tags: Record<Language, string> = { bm: 'ms', en: 'en', cn: 'zh-Hans' };

const en = {
  tickets: 'Tickets',
  studio: 'Studio',
  lead: 'A storefront and a studio on nothing but the GraphQL API.',
  language: 'Language',
  skip: 'Skip to the content',
  choose: 'Choose',
  back: 'All tickets',
  day: 'Day of your visit',
  AVAILABLE: 'available',
  SOLD_OUT: 'sold out',
  CLOSED: 'closed',
  left: 'left',
  name: 'Your name',
  email: 'E-mail address',
  password: 'Password',
  guest: 'As a guest',
  customer: 'As a customer',
  order: 'Order',
  pay: 'Pay at the bank',
  payNote: 'The bank opens in a new tab; this page follows along.',
  INITIATED: 'Waiting for payment',
  PENDING: 'You are at the bank',
  SUCCESS: 'Paid',
  FREE: 'Nothing to pay',
  FAILED: 'Not paid',
  receipt: 'Your tickets as PDF',
  making: 'Your tickets are being printed …',
  company: 'Company code',
  username: 'User name',
  login: 'Sign in',
  logout: 'Sign out',
  workspace: 'Workspace',
  video: 'A video',
  upload: 'Upload',
  uploading: 'Uploading',
  processing: 'Processing',
  play: 'Play',
  failed: 'Failed',
  nothing: 'No videos yet.',
  loading: 'Loading …',
};

type Words = typeof en;

const bm: Words = {
  tickets: 'Tiket',
  studio: 'Studio',
  lead: 'Kedai dan studio yang hanya menggunakan API GraphQL.',
  language: 'Bahasa',
  skip: 'Langkau ke kandungan',
  choose: 'Pilih',
  back: 'Semua tiket',
  day: 'Hari lawatan',
  AVAILABLE: 'ada',
  SOLD_OUT: 'habis',
  CLOSED: 'tutup',
  left: 'lagi',
  name: 'Nama anda',
  email: 'Alamat e-mel',
  password: 'Kata laluan',
  guest: 'Sebagai tetamu',
  customer: 'Sebagai pelanggan',
  order: 'Tempah',
  pay: 'Bayar di bank',
  payNote: 'Bank dibuka dalam tab baharu; halaman ini mengikut perkembangannya.',
  INITIATED: 'Menunggu bayaran',
  PENDING: 'Anda di bank',
  SUCCESS: 'Telah dibayar',
  FREE: 'Percuma',
  FAILED: 'Tidak dibayar',
  receipt: 'Tiket anda dalam PDF',
  making: 'Tiket anda sedang dicetak …',
  company: 'Kod syarikat',
  username: 'Nama pengguna',
  login: 'Log masuk',
  logout: 'Log keluar',
  workspace: 'Ruang kerja',
  video: 'Sebuah video',
  upload: 'Muat naik',
  uploading: 'Memuat naik',
  processing: 'Memproses',
  play: 'Main',
  failed: 'Gagal',
  nothing: 'Belum ada video.',
  loading: 'Memuatkan …',
};

const cn: Words = {
  tickets: '门票',
  studio: '工作室',
  lead: '仅使用 GraphQL API 的商店与工作室。',
  language: '语言',
  skip: '跳到正文',
  choose: '选择',
  back: '所有门票',
  day: '参观日期',
  AVAILABLE: '有票',
  SOLD_OUT: '售罄',
  CLOSED: '休息',
  left: '张剩余',
  name: '您的姓名',
  email: '电邮地址',
  password: '密码',
  guest: '访客',
  customer: '会员',
  order: '下单',
  pay: '前往银行付款',
  payNote: '银行将在新标签页打开；本页会自动更新。',
  INITIATED: '等待付款',
  PENDING: '您正在银行付款',
  SUCCESS: '已付款',
  FREE: '无需付款',
  FAILED: '未付款',
  receipt: '您的门票 (PDF)',
  making: '正在打印门票……',
  company: '公司代码',
  username: '用户名',
  login: '登录',
  logout: '退出',
  workspace: '工作区',
  video: '视频',
  upload: '上传',
  uploading: '正在上传',
  processing: '正在处理',
  play: '播放',
  failed: '失败',
  nothing: '还没有视频。',
  loading: '正在加载……',
};

export const words = { bm, en, cn };

export const LanguageContext = createContext<Language>('en');
export const useLanguage = (): Language => useContext(LanguageContext);
export const useWords = (): Words => words[useLanguage()];

const endings = { bm: 'Bm', en: 'En', cn: 'Cn' } as const;

/** `groupName` of something that has groupNameBm, groupNameEn and groupNameCn. */
export function inLanguage<Field extends string>(
  language: Language,
  thing: Record<`${Field}${(typeof endings)[Language]}`, string>,
  field: Field,
): string {
  return thing[`${field}${endings[language]}`];
}
