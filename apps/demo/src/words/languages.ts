/** The languages of the shop, as the API calls them, with their own names. */
export const languages = { bm: 'Bahasa Melayu', en: 'English', cn: '中文' } as const;
export type Language = keyof typeof languages;
