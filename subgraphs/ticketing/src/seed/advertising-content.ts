import { demo } from '@foyer/shared/demo';

/** The rails of the demo storefront, and how many ticket groups are in each. */
export const railMenus = [
  {
    code: 'featured',
    nameBm: 'Pilihan utama',
    nameEn: 'Featured',
    nameCn: '精选推荐',
    placement: 10,
    firstGroups: 3,
  },
  {
    code: 'this-week',
    nameBm: 'Minggu ini',
    nameEn: 'This week',
    nameCn: '本周活动',
    placement: 20,
    firstGroups: 2,
  },
] as const;

/** One of each type. The placement puts them between the ticket groups, which have placements 10, 20 and 30. */
export const advertisements = [
  {
    advertisementType: 'brandImage',
    advertiser: 'Acme Lounge',
    color: '#1F1D36',
    placement: 15,
    titleBm: 'Ruang rehat di sebelah dewan',
    titleEn: 'The lounge beside the hall',
    titleCn: '剧院旁的休息厅',
    actionButton: 'See the lounge',
    redirectUrl: 'https://acme.test/lounge',
    imageMediaId: Number(demo.media.loungeId),
    rails: ['featured'],
    daysShown: 365,
  },
  {
    advertisementType: 'coupon',
    advertiser: 'Kopi Kaki Lima',
    color: '#A5295C',
    placement: 25,
    titleBm: 'Diskaun 20% untuk kopi',
    titleEn: '20% off your coffee',
    titleCn: '咖啡八折优惠',
    headerBm: 'Tunjukkan tiket anda',
    headerEn: 'Show your ticket',
    headerCn: '请出示门票',
    descBm: 'Sah pada hari lawatan anda.',
    descEn: 'Good on the day of your visit.',
    descCn: '仅限参观当日使用。',
    actionButton: 'Find us',
    redirectUrl: 'https://kopi.test/peta',
    rails: ['featured', 'this-week'],
    daysShown: 90,
  },
  {
    advertisementType: 'editorial',
    advertiser: 'Acme Events',
    color: '#2C5F4F',
    placement: 35,
    titleBm: 'Di sebalik tabir',
    titleEn: 'Behind the curtain',
    titleCn: '幕后故事',
    headerBm: 'Bagaimana sebuah malam muzium dirancang',
    headerEn: 'How a night at the museum is made',
    headerCn: '博物馆之夜是怎样诞生的',
    descBm: 'Tiga bulan persediaan, empat puluh lampu dan seekor kucing muzium.',
    descEn: 'Three months of work, forty lamps and one museum cat.',
    descCn: '三个月的筹备、四十盏灯和一只博物馆的猫。',
    actionButton: 'Read on',
    redirectUrl: 'https://acme.test/stories/behind-the-curtain',
    imageMediaId: Number(demo.media.posterId),
    rails: ['featured'],
    daysShown: 365,
  },
  {
    advertisementType: 'typographic',
    advertiser: 'Acme Events',
    color: '#B4651E',
    placement: 5,
    titleBm: 'Kanak-kanak bawah 6 tahun masuk percuma',
    titleEn: 'Children under 6 come in free',
    titleCn: '六岁以下儿童免费入场',
    rails: ['this-week'],
    daysShown: 365,
  },
] as const;

export const targetGroups = [
  {
    id: '0a0c0000-0000-4000-8000-000000000301',
    name: 'Families in the Klang Valley',
    description: 'Has bought at least one child ticket within a year.',
  },
  {
    id: '0a0c0000-0000-4000-8000-000000000302',
    name: 'Friends of the museum',
    description: 'Came three times or more.',
  },
] as const;

export const campaigns = [
  {
    id: '0a0c0000-0000-4000-8000-000000000401',
    name: 'School holidays',
    targetGroupId: targetGroups[0].id,
    status: 'active',
    days: 45,
    ofWorkspace: true,
  },
  {
    id: '0a0c0000-0000-4000-8000-000000000402',
    name: 'Thank you, friends',
    targetGroupId: targetGroups[1].id,
    status: 'draft',
    days: 14,
    ofWorkspace: false,
  },
] as const;
