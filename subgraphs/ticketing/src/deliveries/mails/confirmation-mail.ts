import { Eta } from 'eta';

import { inLanguage } from '../../links/in-language.ts';
import type { Receipt } from '../../receipts/pdf/receipt.ts';
import { amountText, dayInWords } from '../../receipts/pdf/words.ts';
import { wordsOf } from './words.ts';

/** One renderer per format, because only HTML is escaped. */
const html = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true });
const text = new Eta({ views: import.meta.dirname, cache: true, autoEscape: false });

/**
 * Renders the mail that brings the tickets, in the language of the order.
 *
 * @param publicUrl the public address of this server, without a slash at the end
 */
export function confirmationMail(receipt: Receipt, publicUrl: string) {
  const words = wordsOf[receipt.language];
  const day = dayInWords(receipt.admitDate, receipt.language);
  const isFree = receipt.totalSen === 0n;
  const parts = {
    words,
    receipt,
    day,
    isFree,
    subject: words.subject(receipt.groupName, day),
    total: isFree ? words.freeOfCharge : `RM ${amountText(receipt.totalSen)}`,
    receiptUrl: inLanguage(`${publicUrl}/pdf/receipt?orderNo=${encodeURIComponent(receipt.orderNo)}`, receipt.language),
  };
  return {
    subject: parts.subject,
    text: text.render('confirmation.text.eta', parts),
    html: html.render('confirmation.html.eta', parts),
  };
}
