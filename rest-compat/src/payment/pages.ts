import type { Language } from '@foyer/shared/http/language';

import type { Config } from '../config.ts';
import type { PaymentStateQuery, StartPaymentMutation } from '../generated/operations.ts';
import { page } from '../page.ts';
import { refusalWords, spokenIn, type Spoken } from './words.ts';

/** The page that takes a browser to the bank: by script, or by a button. */
export function bankPage({ langChosen, ...form }: StartPaymentMutation['startPayment']) {
  const [{ lang, words }] = spokenIn(langChosen);
  const amount = form.fields.find(({ name }) => name === 'totalAmount')?.value ?? '';
  const { toBank, order } = words;
  return page(
    'payment-form.eta',
    { ...form, ...toBank, lang, order, lead: toBank.lead(amount) },
    { formAction: form.origin },
  );
}

type Order = NonNullable<PaymentStateQuery['order']>;

/** What was ordered, in the language of the page. */
function boughtOf({ admitDate, totalAmount, ticketGroup }: Order, { lang, words }: Spoken) {
  const { groupNameBm, groupNameEn, groupNameCn } = ticketGroup;
  const day = new Intl.DateTimeFormat(lang === 'en' ? 'en-MY' : lang, { dateStyle: 'full', timeZone: 'UTC' }).format(
    new Date(admitDate),
  );
  const amount = totalAmount === 0 ? words.statusOf.FREE : `RM ${totalAmount.toFixed(2)}`;
  return { event: { ms: groupNameBm, en: groupNameEn, 'zh-Hans': groupNameCn }[lang] || groupNameEn, day, amount };
}

/** The page with the status of an order, in the language of its buyer, with the ways to pay and back to the shop. */
export function statePage(
  state: NonNullable<PaymentStateQuery['paymentState']>,
  order: Order | null,
  { storefrontOrderUrl }: Pick<Config, 'storefrontOrderUrl'>,
) {
  const { orderNo, transactionStatus, underReview, langChosen } = state;
  const [spoken] = spokenIn(langChosen);
  const { lang, words } = spoken;
  const canPay = !underReview && (transactionStatus === 'INITIATED' || transactionStatus === 'PENDING');
  const shop = storefrontOrderUrl?.replace('{orderNo}', encodeURIComponent(orderNo));
  const hasTickets = transactionStatus === 'SUCCESS' || transactionStatus === 'FREE';
  const isRefunded = transactionStatus === 'FAILED' && order?.bankCurrentStatus === 'REFUNDED';
  const usual = isRefunded ? words.refunded : words.states[transactionStatus];
  const [title, text] = underReview && !hasTickets ? words.reviewed : usual;
  const data = {
    lang,
    said: [{ lang, title, text }],
    order: { name: words.order, orderNo, transactionStatus, status: words.statusOf[transactionStatus] },
    bought: order && boughtOf(order, spoken),
    receipt: hasTickets ? words.receipt : '',
    pay: canPay && (transactionStatus === 'PENDING' ? words.payAgain : words.pay),
    shop: shop && {
      href: shop,
      text: transactionStatus === 'FAILED' && !underReview ? words.orderAgain : words.toShop,
    },
    refresh: transactionStatus === 'PENDING' && !underReview,
  };
  return page('payment-result.eta', data, canPay ? { formAction: "'self'" } : {});
}

/** The page for a payment without a known order. */
export const unreadablePage = () =>
  messagePage(undefined, ({ words }) => {
    const [title, text] = words.unreadable;
    return { title, text };
  });

/** The page that explains why a payment can't be started. */
export const refusedPage = (code: string, langChosen: unknown, status: number) =>
  messagePage(
    langChosen,
    ({ words }) => ({ title: words.refusedTitle, text: refusalWords(words, code, status) }),
    status,
  );

/** How long the browser waits before it asks again, in seconds. */
const RELOAD_SECONDS = 6;

/**
 * The page for a browser that comes back from the bank while the state of its payment can't be read. It asks again by
 * itself, which is harmless: each message of the bank counts once.
 *
 * @param language of the browser; unknown means all three
 */
export const safePage = (language: Language | undefined, status: number) =>
  page(
    'payment-result.eta',
    {
      ...said(spokenIn(language), ({ words: { safe } }) => ({ title: safe[0], text: safe[1] })),
      reload: RELOAD_SECONDS,
    },
    { status },
  );

/** The page for a browser whose payment can't be started at this moment. It does not send the form again. */
export const notStartedPage = (language: Language | undefined, status: number) =>
  page(
    'payment-result.eta',
    said(spokenIn(language), ({ words: { notStarted } }) => ({ title: notStarted[0], text: notStarted[1] })),
    { status },
  );

type Say = (spoken: Spoken) => { title: string; text: string; link?: { href: string; text: string } };

const messagePage = (langChosen: unknown, say: Say, status = 200) =>
  page('payment-result.eta', said(spokenIn(langChosen), say), { status });

/** What a page says, in each of these languages. */
export function said(languages: readonly Spoken[], say: Say) {
  const texts = languages.map((spoken) => ({ lang: spoken.lang, ...say(spoken) }));
  return { lang: texts[0]?.lang, said: texts };
}
