import { useApolloClient } from '@apollo/client/react';
import { useRef, useState } from 'react';

import { reasonOf } from '../client.ts';
import { CreateFreeOrderDocument, CreateOrderDocument, TicketGroupDocument } from '../generated/operations.ts';
import { asError } from '../parts.tsx';
import { goTo } from '../route.ts';
import { useCustomer } from '../sessions.ts';
import { useLanguage } from '../words/language.ts';
import { draftOf, emailOf, type Draft } from './drafts.ts';
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

/** Places the order, and opens its page. */
export function useOrder(group: TicketGroup) {
  const client = useApolloClient();
  const langChosen = useLanguage();
  const customer = useCustomer();
  const [state, setState] = useState<{ busy: boolean; error?: Error }>({ busy: false });
  // The key of a form stays the same: pressing again after a lost response orders nothing twice.
  const attempt = useRef<{ typed: string; key: string }>(undefined);

  async function order(draft: Draft) {
    const { ticketGroupId } = group;
    const items = itemsOf(group, draft);
    const buyer = customer
      ? { custId: customer.custId, buyerName: customer.fullName, buyerEmail: customer.email }
      : { buyerName: draft.name, buyerEmail: draft.email };
    const input = { ...buyer, langChosen, ticketGroupId, admitDate: draft.date, items };
    const typed = JSON.stringify(input);
    if (attempt.current?.typed !== typed) attempt.current = { typed, key: newKey() };
    const variables = { input, idempotencyKey: attempt.current.key };
    setState({ busy: true });
    try {
      const orderNo = items.every(({ unitPrice }) => unitPrice === 0)
        ? (await client.mutate({ mutation: CreateFreeOrderDocument, variables })).data?.createFreeOrder.orderNo
        : (await client.mutate({ mutation: CreateOrderDocument, variables })).data?.createOrder.orderNo;
      if (!orderNo) throw new Error('no order number');
      emailOf(orderNo).write(buyer.buyerEmail);
      draftOf(ticketGroupId).write(undefined);
      goTo(`orders/${orderNo}`);
    } catch (error) {
      const reason = reasonOf(error);
      // Refused, not lost: the next one is another order.
      if (reason && reason !== 'ORDER_UNCERTAIN') attempt.current = undefined;
      if (changedCatalogue.has(reason)) {
        await client.refetchQueries({ include: [TicketGroupDocument] });
      }
      setState({ busy: false, error: asError(error) });
    }
  }
  return { ...state, order };
}
