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

/** The page with the status of an order, in the language of its buyer. */
export function statePage(state: NonNullable<PaymentStateQuery['paymentState']>) {
  const { orderNo, transactionStatus, underReview, langChosen } = state;
  const [{ lang, words }] = spokenIn(langChosen);
  const hasTickets = transactionStatus === 'SUCCESS' || transactionStatus === 'FREE';
  const [title, text] = underReview && !hasTickets ? words.reviewed : words.states[transactionStatus];
  return page('payment-result.eta', {
    lang,
    said: [{ lang, title, text }],
    order: { name: words.order, orderNo, transactionStatus, status: words.statusOf[transactionStatus] },
    receipt: hasTickets ? words.receipt : '',
    refresh: transactionStatus === 'PENDING' && !underReview,
  });
}

/** The page for a payment without a known order. */
export const unreadablePage = () =>
  messagePage(undefined, ({ words }) => {
    const [title, text] = words.unreadable;
    return { title, text };
  });

/** The page that explains why a payment can't be started. */
export const refusedPage = (code: string, langChosen: unknown, status: number) =>
  messagePage(langChosen, ({ words }) => ({ title: words.refusedTitle, text: refusalWords(words, code) }), status);

function messagePage(langChosen: unknown, say: (spoken: Spoken) => { title: string; text: string }, status = 200) {
  const said = spokenIn(langChosen).map((spoken) => ({ lang: spoken.lang, ...say(spoken) }));
  return page('payment-result.eta', { lang: said[0]?.lang, said }, { status });
}
