import { useQuery } from '@apollo/client/react';
import { useState, type FormEvent } from 'react';

import { TicketGroupDocument } from '../generated/operations.ts';
import { Empty, Field, fieldProblem, Picture, Problem } from '../parts.tsx';
import { useCustomer } from '../sessions.ts';
import { inLanguage, say, useLanguage, useWords } from '../words/language.ts';
import { Calendar } from './calendar.tsx';
import { draftOf, type Draft } from './drafts.ts';
import type { TicketGroup } from './groups.ts';
import { Quantities } from './quantities.tsx';
import { Total } from './total.tsx';
import { itemsOf, useOrder } from './use-order.ts';

/** The page of a ticket group, on which it is ordered. */
export function GroupPage({ ticketGroupId }: { ticketGroupId: string }) {
  const words = useWords();
  const { data, error, loading, refetch } = useQuery(TicketGroupDocument, {
    variables: { ticketGroupId },
    fetchPolicy: 'cache-and-network',
  });
  const group = data?.ticketGroup;
  if (group) return <OrderForm group={group} />;
  return (
    <>
      <BackLink />
      {loading && (
        <div className="card waiting" role="status">
          {words.loading}
        </div>
      )}
      {!loading && (
        <Empty title={words.noSuchTickets}>
          <Problem of={error} again={() => void refetch().catch(() => undefined)} />
        </Empty>
      )}
    </>
  );
}

function BackLink() {
  const words = useWords();
  return (
    <p>
      <a href="#/">← {words.back}</a>
    </p>
  );
}

/** One ticket, where there is only one kind. */
function newDraft({ variants: [only, ...others] }: TicketGroup): Draft {
  const counts = only && others.length === 0 ? { [only.itemId]: 1 } : {};
  return { date: '', counts, email: '', name: '' };
}

function useDraft(group: TicketGroup) {
  const kept = draftOf(group.ticketGroupId);
  const [draft, setDraft] = useState(() => kept.read() ?? newDraft(group));
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    kept.write(next);
  };
  return [draft, change] as const;
}

/** The form for an order: a day, with its live availability, the quantities, and who buys. */
function OrderForm({ group }: { group: TicketGroup }) {
  const words = useWords();
  const language = useLanguage();
  const [draft, change] = useDraft(group);
  const { order, busy, error } = useOrder(group);
  const [wasSent, setWasSent] = useState(false);
  const items = itemsOf(group, draft);
  const isFree = items.length > 0 && items.every(({ unitPrice }) => unitPrice === 0);
  const lacks = { day: draft.date === '', tickets: items.length === 0 };

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setWasSent(true);
    const isTyped = form.checkValidity(); // each field says what is wrong with it
    if (lacks.day) focusOn(form, '.calendar input:enabled');
    else if (lacks.tickets) focusOn(form, '.quantities input');
    else if (isTyped) void order(draft);
  }

  return (
    <form className="order" onSubmit={submit} noValidate>
      <div className="choices">
        <BackLink />
        <header className="event">
          <Picture of={group} eager />
          <h1>{inLanguage(language, group, 'groupName')}</h1>
          <p>{inLanguage(language, group, 'groupDesc')}</p>
          <p className="small">{[group.location, group.organiserName].filter(Boolean).join(' · ')}</p>
        </header>
        <section className="card">
          <Calendar group={group} chosen={draft.date} choose={(date) => change({ date })} />
          {wasSent && lacks.day && <Missing text={words.dayMissing} />}
        </section>
        <section className="card">
          <Quantities group={group} counts={draft.counts} change={(counts) => change({ counts })} />
          {wasSent && lacks.tickets && <Missing text={words.ticketsMissing} />}
        </section>
      </div>
      <section className="card summary" aria-label={words.you}>
        <Buyer draft={draft} change={change} error={error} />
        <Total group={group} draft={draft} />
        <Problem of={error} uncertain="ORDER_UNCERTAIN" />
        <button disabled={busy}>{isFree ? words.orderFree : words.order}</button>
        {!isFree && <p className="small">{words.holdNote}</p>}
      </section>
    </form>
  );
}

const focusOn = (form: HTMLFormElement, choice: string) => form.querySelector<HTMLElement>(choice)?.focus();

/** Says what was not chosen, beside where it is chosen. */
const Missing = ({ text }: { text: string }) => (
  <p role="alert" className="small wrong">
    {text}
  </p>
);

interface BuyerProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  error: Error | undefined;
}

function Buyer({ draft, change, error }: BuyerProps) {
  const words = useWords();
  const language = useLanguage();
  const customer = useCustomer();
  if (customer) {
    return (
      <>
        <h2>{words.you}</h2>
        <p>{say(words.asCustomer, { name: customer.fullName, email: customer.email })}</p>
      </>
    );
  }
  return (
    <>
      <h2>{words.you}</h2>
      <Field
        label={words.email}
        note={words.emailNote}
        name="email"
        type="email"
        autoComplete="email"
        maxLength={320}
        problem={fieldProblem(error, 'buyerEmail', language)}
        value={draft.email}
        onChange={({ target }) => change({ email: target.value })}
      />
      <Field
        label={words.name}
        name="fullName"
        autoComplete="name"
        maxLength={200}
        problem={fieldProblem(error, 'buyerName', language)}
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <p>
        <a href={`#/account/sign-in/${encodeURIComponent(window.location.hash.slice(2))}`}>{words.haveAccount}</a>
      </p>
    </>
  );
}
