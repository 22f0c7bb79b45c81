import { hasTexts, isText, stored } from '../storage.ts';
import { isLanguage, type Language } from '../words/language.ts';

/** What a buyer has chosen of a ticket group, kept while they sign in or pay, and for ordering again. */
export interface Draft {
  date: string;
  /** By item id. */
  counts: Record<string, number>;
  email: string;
  name: string;
}

const isDraft = (value: unknown): value is Draft =>
  hasTexts(value, 'date', 'email', 'name') &&
  'counts' in value &&
  typeof value.counts === 'object' &&
  value.counts !== null &&
  Object.values(value.counts).every((count) => typeof count === 'number');

/** In this tab only, as personal data should not stay in a browser that others use. */
export const draftOf = (ticketGroupId: string) => stored(`draft.${ticketGroupId}`, isDraft, sessionStorage);

/** The e-mail of an order that was placed or looked up in this tab: with its number it opens the order. */
export const emailOf = (orderNo: string) => stored(`order.${orderNo}`, isText, sessionStorage);

/** An order that was sent, and whose answer may have been lost. */
interface Attempt {
  /** What was ordered, and by whom. */
  wanted: string;
  /** The idempotency key: the same order with the same key is placed once. */
  key: string;
  /** The language that it was sent in, which is a part of it. */
  langChosen: Language;
}

const isAttempt = (value: unknown): value is Attempt =>
  hasTexts(value, 'wanted', 'key', 'langChosen') && isLanguage(value.langChosen);

/** Until an order is placed, the same one is sent with the same key: after an error, and after a reload of the page. */
export const attemptOf = (ticketGroupId: string) => stored(`attempt.${ticketGroupId}`, isAttempt, sessionStorage);
