import { useQuery } from '@apollo/client/react';

import { StorefrontDocument, type StorefrontQuery } from '../generated/operations.ts';
import { Empty, Problem } from '../parts.tsx';
import { inLanguage, useLanguage, useWords } from '../words/language.ts';
import { AdvertisementCard, GroupCard } from './cards.tsx';
import { ShowMore, withNext } from './show-more.tsx';

type Card = NonNullable<StorefrontQuery['railMenus']>[number]['items'][number];

/** The rails, and then all tickets. */
export function Storefront() {
  const words = useWords();
  const language = useLanguage();
  const { data, error, loading, fetchMore, refetch } = useQuery(StorefrontDocument);
  const rails = (data?.railMenus ?? []).filter(({ items }) => items.length > 0);
  const all = data ? allTickets(data) : [];
  const { hasNextPage, endCursor } = data?.ticketGroups?.pageInfo ?? {};
  const more = () =>
    fetchMore({
      variables: { after: endCursor ?? null },
      updateQuery: (before, { fetchMoreResult: { ticketGroups: next } }) => ({
        ...before,
        ticketGroups: withNext(before.ticketGroups, next),
      }),
    });

  if (!data) {
    return loading ? <Placeholders /> : <Problem of={error} again={() => void refetch().catch(() => undefined)} />;
  }
  return (
    <>
      {rails.map((rail, index) => (
        <Row
          key={rail.railMenuId}
          title={inLanguage(language, rail, 'name')}
          cards={rail.items}
          isFirst={index === 0}
          isRail
        />
      ))}
      {all.length > 0 ? (
        <Row title={words.allTickets} cards={all} isFirst={rails.length === 0} />
      ) : (
        <Empty title={words.nothingOnSale}>
          <p>{words.nothingOnSaleLead}</p>
        </Empty>
      )}
      {hasNextPage && <ShowMore more={more} />}
    </>
  );
}

/** Every ticket group, and between them, by placement, the advertising tickets that are in no rail that is shown. */
function allTickets({ railMenus, ticketGroups, advertisingTickets }: StorefrontQuery): Card[] {
  const shown = new Set(railMenus?.map(({ railMenuId }) => railMenuId)); // staff are told of hidden ones, too
  const groups: Card[] = (ticketGroups?.edges ?? []).map(({ node }) => node);
  const others: Card[] = (advertisingTickets ?? []).filter(
    (card) => !card.railMenus.some(({ railMenuId }) => shown.has(railMenuId)),
  );
  return [...groups, ...others].toSorted((one, other) => one.placement - other.placement);
}

interface RowProps {
  title: string;
  cards: Card[];
  /** Whether its first pictures are loaded before anything else. */
  isFirst: boolean;
  /** A rail is one line, which scrolls. */
  isRail?: boolean;
}

function Row({ title, cards, isFirst, isRail = false }: RowProps) {
  return (
    <section className="rail">
      <h2>{title}</h2>
      <div
        className={`cards ${isRail ? 'line' : ''}`}
        {...(isRail && { tabIndex: 0, role: 'group', 'aria-label': title })}
      >
        {cards.map((card, index) =>
          card.__typename === 'TicketGroup' ? (
            <GroupCard key={`group-${card.ticketGroupId}`} group={card} eager={isFirst && index < 3} />
          ) : (
            <AdvertisementCard key={`ad-${card.advertisingTicketId}`} advertisement={card} />
          ),
        )}
      </div>
    </section>
  );
}

/** The places of the first cards, so that nothing moves when they come. */
function Placeholders() {
  const words = useWords();
  return (
    <section className="rail" aria-busy>
      <h2 role="status">{words.loading}</h2>
      <div className="cards line" aria-hidden>
        {[1, 2, 3].map((place) => (
          <div className="card offer placeholder" key={place}>
            <div className="picture none" />
            <div className="inside" />
          </div>
        ))}
      </div>
    </section>
  );
}
