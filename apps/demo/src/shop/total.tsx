import { useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';

import { QuoteDocument } from '../generated/operations.ts';
import { Problem } from '../parts.tsx';
import { useMoney, useWords } from '../words/language.ts';
import type { Draft } from './drafts.ts';
import type { TicketGroup } from './groups.ts';
import { itemsOf } from './use-order.ts';

const PAUSE_MS = 200;

/** A value once it has stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** What the choice costs, checked by the rules of an order while it is made. */
export function Total({ group, draft }: { group: TicketGroup; draft: Draft }) {
  const words = useWords();
  const money = useMoney();
  const { ticketGroupId } = group;
  // Without prices: a quote tells the present ones.
  const items = itemsOf(group, draft).map(({ itemId, quantityBought }) => ({ itemId, quantityBought }));
  const wanted = useSettled(JSON.stringify({ ticketGroupId, admitDate: draft.date, items }));
  const input = JSON.parse(wanted) as { ticketGroupId: string; admitDate: string; items: typeof items };
  const isWhole = input.admitDate !== '' && input.items.length > 0;
  const { data, previousData, error, loading } = useQuery(QuoteDocument, {
    variables: { input },
    skip: !isWhole,
    fetchPolicy: 'network-only',
  });
  const quote = isWhole && !error ? (data?.quote ?? previousData?.quote) : undefined;

  return (
    <div className="total">
      <p className="sum" aria-live="polite" aria-busy={loading}>
        <span>{words.total}</span>
        <strong>{quote ? money(quote.totalAmount) : '–'}</strong>
      </p>
      {isWhole ? <Problem of={error} /> : <p className="small">{words.chooseDay}</p>}
    </div>
  );
}
