import type { OrderTicketGroup } from '@foyer/prisma/client';
import { Eta } from 'eta';

import { amountText } from '../../receipts/pdf/words.ts';
import type { Language } from '../../units/language.ts';
import { refundWordsOf, wordsOf } from './words.ts';

const html = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true });
const text = new Eta({ views: import.meta.dirname, cache: true, autoEscape: false });

type Refundable = Pick<OrderTicketGroup, 'langChosen' | 'orderNo' | 'buyerName' | 'totalAmountSen'>;

/** Renders the mail that says why a late payment got no tickets, and that it is refunded. */
export function refundMail({ langChosen, orderNo, buyerName, totalAmountSen }: Refundable) {
  const language = langChosen as Language;
  const subject = refundWordsOf[language].subject(orderNo);
  const words = { ...wordsOf[language], ...refundWordsOf[language] };
  const parts = { words, subject, orderNo, buyerName, amount: `RM ${amountText(totalAmountSen)}` };
  return {
    subject,
    text: text.render('refund.text.eta', parts),
    html: html.render('refund.html.eta', parts),
  };
}
