import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';

import { reasonOf } from '../refusals.ts';
import { CreateFreeOrderDocument, CreateOrderDocument, TicketGroupDocument } from '../generated/operations.ts';
import { asError } from '../parts.tsx';
import { goTo } from '../route.ts';
import { useCustomer } from '../sessions.ts';
import { useLanguage, type Language } from '../words/language.ts';
import { attemptOf, draftOf, emailOf, type Draft } from './drafts.ts';
import type { TicketGroup } from './groups.ts';

/** Not `randomUUID`, which browsers offer only over https. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The lines of a draft, each with the price that the buyer sees. */
export const itemsOf = ({ variants }: TicketGroup, { counts }: Pick<Draft, 'counts'>) =>
  variants.flatMap(({ itemId, unitPrice }) => {
    const quantityBought = counts[itemId] ?? 0;
    return quantityBought > 0 ? [{ itemId, unitPrice, quantityBought }] : [];
  });

/** Reasons after which the catalogue must be read again. */
const changedCatalogue = new Set<unknown>([
  'PRICE_MISMATCH',
  'ITEM_NOT_OFFERED',
  'USE_FREE_ROUTE',
  'NOT_FREE',
  'LIMIT',
]);

/** The key for an order: that of the last attempt at the same one, so that pressing again orders nothing twice. */
function attemptAt(ticketGroupId: string, wanted: string, langChosen: Language) {
  const kept = attemptOf(ticketGroupId);
  const last = kept.read();
  if (last?.wanted === wanted) return last;
  const attempt = { wanted, key: newKey(), langChosen };
  kept.write(attempt);
  return attempt;
}

/** Places the order, and opens its page. */
export function useOrder(group: TicketGroup) {
  const client = useApolloClient();
  const language = useLanguage();
  const customer = useCustomer();
  const [state, setState] = useState<{ busy: boolean; error?: Error }>({ busy: false });

  async function order(draft: Draft) {
    const { ticketGroupId } = group;
    const items = itemsOf(group, draft);
    const buyer = customer
      ? { custId: customer.custId, buyerName: customer.fullName, buyerEmail: customer.email }
      : { buyerName: draft.name, buyerEmail: draft.email };
    const wanted = JSON.stringify([
      buyer,
      draft.date,
      items.map(({ itemId, quantityBought }) => [itemId, quantityBought]),
    ]);
    const { key, langChosen } = attemptAt(ticketGroupId, wanted, language);
    const input = { ...buyer, langChosen, ticketGroupId, admitDate: draft.date, items };
    const variables = { input, idempotencyKey: key };
    setState({ busy: true });
    try {
      const orderNo = items.every(({ unitPrice }) => unitPrice === 0)
        ? (await client.mutate({ mutation: CreateFreeOrderDocument, variables })).data?.createFreeOrder.orderNo
        : (await client.mutate({ mutation: CreateOrderDocument, variables })).data?.createOrder.orderNo;
      if (!orderNo) throw new Error('no order number');
      emailOf(orderNo).write(buyer.buyerEmail);
      draftOf(ticketGroupId).write(undefined);
      attemptOf(ticketGroupId).write(undefined);
      goTo(`orders/${orderNo}`);
    } catch (error) {
      const reason = reasonOf(error);
      // The buyer has read that it was placed before: the next one is another order.
      if (reason === 'IDEMPOTENCY_KEY_REUSED') attemptOf(ticketGroupId).write(undefined);
      if (changedCatalogue.has(reason)) {
        await client.refetchQueries({ include: [TicketGroupDocument] });
      }
      setState({ busy: false, error: asError(error) });
    }
  }
  return { ...state, order };
}
