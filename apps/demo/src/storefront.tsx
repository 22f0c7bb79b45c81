import { useQuery } from '@apollo/client/react';

import { TicketGroupsDocument } from './generated/operations.ts';
import { OrderForm } from './order-form.tsx';
import { Problem } from './parts.tsx';
import type { TicketGroup } from './ticket-group.ts';
import { inLanguage, useLanguage, useWords } from './words.ts';

/** The ticket groups on sale, or one of them. */
export function Storefront({ ticketGroupId }: { ticketGroupId: string | undefined }) {
  const words = useWords();
  const { data, error, loading } = useQuery(TicketGroupsDocument);
  const groups = data?.ticketGroups?.edges.map(({ node }) => node) ?? [];
  const chosen = groups.find((group) => group.ticketGroupId === ticketGroupId);

  if (chosen) return <OrderForm key={chosen.ticketGroupId} group={chosen} />;
  return (
    <>
      <Problem of={error} />
      {loading && <p role="status">{words.loading}</p>}
      <div className="grid">
        {groups.map((group) => (
          <Offer key={group.ticketGroupId} group={group} />
        ))}
      </div>
    </>
  );
}

function Offer({ group }: { group: TicketGroup }) {
  const words = useWords();
  const language = useLanguage();
  const name = inLanguage(language, group, 'groupName');
  const prices = group.variants.map(({ unitPrice }) => unitPrice);
  return (
    <article className="card offer">
      {group.image && <img src={group.image.assetUrl} alt="" />}
      <h2>{name}</h2>
      <p>{inLanguage(language, group, 'groupDesc')}</p>
      <p className="small">{group.location}</p>
      {prices.length > 0 && (
        <p>
          RM {Math.min(...prices).toFixed(2)} –{' '}
          <a href={`#/tickets/${group.ticketGroupId}`}>
            {words.choose}: {name}
          </a>
        </p>
      )}
    </article>
  );
}
