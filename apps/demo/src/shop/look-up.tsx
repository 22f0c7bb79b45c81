import { useApolloClient } from '@apollo/client/react';
import { useState, type FormEvent } from 'react';

import { OrderDocument } from '../generated/operations.ts';
import { asError, Field, Problem, typed } from '../parts.tsx';
import { goTo } from '../route.ts';
import { useWords } from '../words/language.ts';
import { emailOf } from './drafts.ts';

/** Asks for the number and the e-mail of an order, and opens it. */
export function LookUp({ orderNo = '', found }: { orderNo?: string; found?: (email: string) => void }) {
  const words = useWords();
  const client = useApolloClient();
  const [{ busy, error }, setState] = useState<{ busy: boolean; error?: Error }>({ busy: false });

  async function look(form: HTMLFormElement) {
    const { number = '', lookUpEmail: email = '' } = typed(form);
    const wanted = number.trim();
    setState({ busy: true });
    try {
      await client.query({ query: OrderDocument, variables: { orderNo: wanted, email }, fetchPolicy: 'network-only' });
      emailOf(wanted).write(email);
      setState({ busy: false });
      found?.(email);
      goTo(`orders/${encodeURIComponent(wanted)}`);
    } catch (problem) {
      setState({ busy: false, error: asError(problem) });
    }
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void look(event.currentTarget);
  }

  return (
    <form className="card stack narrow" onSubmit={submit}>
      <h2>{words.lookUp}</h2>
      <p>{words.lookUpLead}</p>
      <Field label={words.orderNumber} name="number" autoComplete="off" maxLength={64} defaultValue={orderNo} />
      <Field label={words.email} name="lookUpEmail" type="email" autoComplete="email" maxLength={320} />
      <Problem of={error} />
      <p>
        <button disabled={busy}>{words.lookUpGo}</button>
      </p>
    </form>
  );
}
