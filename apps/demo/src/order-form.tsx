import { useApolloClient, useSubscription } from '@apollo/client/react';
import { useMemo, useRef, useState, type FormEvent } from 'react';

import { viewerChanged, reasonOf } from './client.ts';
import {
  AvailabilityDocument,
  CreateOrderDocument,
  LoginCustomerDocument,
  RegisterGuestDocument,
  type AvailabilitySubscription,
} from './generated/operations.ts';
import { asError, Field, Problem, typed } from './parts.tsx';
import type { TicketGroup } from './ticket-group.ts';
import { inLanguage, tags, useLanguage, useWords } from './words.ts';

type Day = AvailabilitySubscription['availabilityChanged'][number];

const DAYS = 14;
const MALAYSIA_MS = 8 * 3_600_000;
const DAY_MS = 24 * 3_600_000;

/** The next days in Malaysia, as YYYY-MM-DD. */
const comingDays = () =>
  Array.from({ length: DAYS }, (_, ahead) =>
    new Date(Date.now() + MALAYSIA_MS + ahead * DAY_MS).toISOString().slice(0, 10),
  );

/** Not `randomUUID`, which browsers offer only over https. */
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** The current days: the first event has all of them, later ones those that have changed. */
function useAvailability(ticketGroupId: string) {
  const dates = useMemo(comingDays, []);
  const [days, setDays] = useState<Record<string, Day>>({});
  const { error } = useSubscription(AvailabilityDocument, {
    variables: { ticketGroupId, dates },
    onData: ({ data: { data } }) =>
      setDays((known) => ({
        ...known,
        ...Object.fromEntries((data?.availabilityChanged ?? []).map((day) => [day.date, day])),
      })),
  });
  return { days: dates.flatMap((date) => days[date] ?? []), error };
}

interface Attempt {
  typed: string;
  key: string;
  buyer: { custId: string; email: string; fullName: string };
}

/** Places the order, and opens its page. */
function useOrder(group: TicketGroup) {
  const client = useApolloClient();
  const language = useLanguage();
  const [state, setState] = useState<{ busy: boolean; error?: Error }>({ busy: false });
  // The key of a form stays the same: pressing again after a lost response orders nothing twice.
  const attempt = useRef<Attempt>(undefined);

  async function buyer({ email = '', password, fullName = '' }: Record<string, string>) {
    if (!password) {
      const { data } = await client.mutate({
        mutation: RegisterGuestDocument,
        variables: { input: { email, fullName } },
      });
      return { custId: data?.registerGuestCustomer.custId ?? '', email, fullName };
    }
    const { data } = await client.mutate({ mutation: LoginCustomerDocument, variables: { email, password } });
    viewerChanged(data?.loginCustomer.token);
    return { custId: '', email, fullName, ...data?.loginCustomer.customer };
  }

  async function order(form: Record<string, string>) {
    setState({ busy: true });
    try {
      const typed = JSON.stringify(form);
      if (attempt.current?.typed !== typed) attempt.current = { typed, key: newKey(), buyer: await buyer(form) };
      const {
        key,
        buyer: { custId, email, fullName },
      } = attempt.current;
      const items = group.variants
        .map(({ itemId, ticketVariantId }) => ({ itemId, quantityBought: Number(form[`count-${ticketVariantId}`]) }))
        .filter(({ quantityBought }) => quantityBought > 0);
      const { data } = await client.mutate({
        mutation: CreateOrderDocument,
        variables: {
          idempotencyKey: key,
          input: {
            langChosen: language,
            ticketGroupId: group.ticketGroupId,
            custId,
            buyerName: fullName,
            buyerEmail: email,
            admitDate: form['admitDate'] ?? '',
            items,
          },
        },
      });
      window.location.hash = `#/orders/${data?.createOrder.orderNo}/${encodeURIComponent(email)}`;
    } catch (error) {
      if (reasonOf(error)) attempt.current = undefined; // refused, not lost: the next one is another order
      setState({ busy: false, error: asError(error) });
    }
  }
  return { ...state, order };
}

/** The form for an order: a day, with its live availability, and the quantities. */
export function OrderForm({ group }: { group: TicketGroup }) {
  const words = useWords();
  const language = useLanguage();
  const { days, error: blind } = useAvailability(group.ticketGroupId);
  const { order, busy, error } = useOrder(group);
  const [registered, setRegistered] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void order(typed(event.currentTarget));
  }

  return (
    <form className="card stack" onSubmit={submit}>
      <p>
        <a href="#/">← {words.back}</a>
      </p>
      <h2>{inLanguage(language, group, 'groupName')}</h2>
      <Days days={days} />
      {group.variants.map((variant, place) => (
        <Field
          key={variant.ticketVariantId}
          label={`${inLanguage(language, variant, 'name')}, RM ${variant.unitPrice.toFixed(2)}`}
          name={`count-${variant.ticketVariantId}`}
          type="number"
          min={0}
          max={group.orderTicketLimit}
          defaultValue={place === 0 ? 1 : 0}
        />
      ))}
      <p className="row" role="group" aria-label={words.order}>
        <Choice name="buyer" label={words.guest} checked={!registered} onChange={() => setRegistered(false)} />
        <Choice name="buyer" label={words.customer} checked={registered} onChange={() => setRegistered(true)} />
      </p>
      <Field label={words.email} name="email" type="email" autoComplete="email" />
      {registered ? (
        <Field label={words.password} name="password" type="password" autoComplete="current-password" />
      ) : (
        <Field label={words.name} name="fullName" autoComplete="name" />
      )}
      <Problem of={error ?? blind} />
      <p>
        <button disabled={busy}>{words.order}</button>
      </p>
    </form>
  );
}

const Choice = ({ label, ...input }: { label: string; name: string; checked: boolean; onChange: () => void }) => (
  <label className="choice">
    <input type="radio" {...input} /> {label}
  </label>
);

function Days({ days }: { days: Day[] }) {
  const words = useWords();
  const tag = tags[useLanguage()];
  return (
    <fieldset>
      <legend>{words.day}</legend>
      <div className="days">
        {days.map(({ date, status, remaining }) => (
          <label key={date} className={`day ${status}`}>
            <input type="radio" name="admitDate" value={date} required disabled={status !== 'AVAILABLE'} />
            <strong>
              {new Intl.DateTimeFormat(tag, {
                weekday: 'short',
                day: 'numeric',
                month: 'short',
                timeZone: 'UTC',
              }).format(new Date(date))}
            </strong>
            <span className="small">{remaining ? `${remaining} ${words.left}` : words[status]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
