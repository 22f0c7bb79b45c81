import { useApolloClient, useMutation } from '@apollo/client/react';
import { useState, type FormEvent } from 'react';

import {
  LoginCustomerDocument,
  LogoutCustomerDocument,
  RegisterCustomerDocument,
  RequestResetDocument,
} from '../generated/operations.ts';
import { Field, Problem, typed } from '../parts.tsx';
import { goTo } from '../route.ts';
import { rememberCustomer, useCustomer } from '../sessions.ts';
import { say, useLanguage, useWords } from '../words/language.ts';

/** Signing in and out, signing up, and a forgotten password, for customers. */
export function Account({ step, next }: { step: string; next: string }) {
  const customer = useCustomer();
  if (customer) return <SignedIn name={customer.fullName} />;
  if (step === 'new') return <SignUp />;
  if (step === 'forgot') return <Forgotten />;
  return <LoginForm next={next} />;
}

/** Calls `send` with the texts of a form. Its errors are shown by the hook of the mutation. */
const sending = (send: (texts: Record<string, string>) => Promise<unknown>) => (event: FormEvent<HTMLFormElement>) => {
  event.preventDefault();
  send(typed(event.currentTarget)).catch(() => undefined);
};

function LoginForm({ next }: { next: string }) {
  const words = useWords();
  const client = useApolloClient();
  const [login, { error, loading }] = useMutation(LoginCustomerDocument);
  async function logIn({ email = '', password = '' }: Record<string, string>) {
    const { data } = await login({ variables: { email, password } });
    if (!data) return;
    const { token, expiresAt, customer } = data.loginCustomer;
    rememberCustomer({ token, expiresAt, ...customer });
    await client.resetStore().catch(() => undefined);
    goTo(next);
  }
  return (
    <form className="card stack narrow" onSubmit={sending(logIn)}>
      <h2>{words.login}</h2>
      <p>{words.loginLead}</p>
      <Field label={words.email} name="email" type="email" autoComplete="username" maxLength={320} />
      <Field label={words.password} name="password" type="password" autoComplete="current-password" maxLength={200} />
      <Problem of={error} />
      <p>
        <button disabled={loading}>{words.login}</button>
      </p>
      <ul className="links">
        <li>
          <a href="#/account/new">{words.signUp}</a>
        </li>
        <li>
          <a href="#/account/forgot">{words.forgot}</a>
        </li>
      </ul>
      <p className="small">
        <a href="#/studio">{words.staff}</a>
      </p>
    </form>
  );
}

function SignUp() {
  const words = useWords();
  const langChosen = useLanguage();
  const [register, { data, error, loading }] = useMutation(RegisterCustomerDocument);
  const [email, setEmail] = useState('');
  if (data) return <Inbox email={email} />;
  return (
    <form
      className="card stack narrow"
      onSubmit={sending(({ password = '', fullName = '' }) =>
        register({ variables: { input: { email, password, fullName, langChosen } } }),
      )}
    >
      <h2>{words.signUp}</h2>
      <p>{words.signUpLead}</p>
      <Field label={words.name} name="fullName" autoComplete="name" maxLength={200} />
      <AddressField value={email} change={setEmail} />
      <Field
        label={words.password}
        note={words.passwordNote}
        name="password"
        type="password"
        autoComplete="new-password"
        maxLength={200}
      />
      <Problem of={error} />
      <p>
        <button disabled={loading}>{words.signUp}</button>
      </p>
      <p>
        <a href="#/account">{words.login}</a>
      </p>
    </form>
  );
}

function Forgotten() {
  const words = useWords();
  const langChosen = useLanguage();
  const [request, { data, error, loading }] = useMutation(RequestResetDocument);
  const [email, setEmail] = useState('');
  if (data) return <Inbox email={email} />;
  return (
    <form className="card stack narrow" onSubmit={sending(() => request({ variables: { email, langChosen } }))}>
      <h2>{words.forgot}</h2>
      <p>{words.forgotLead}</p>
      <AddressField value={email} change={setEmail} />
      <Problem of={error} />
      <p>
        <button disabled={loading}>{words.send}</button>
      </p>
      <p>
        <a href="#/account">{words.login}</a>
      </p>
    </form>
  );
}

function AddressField({ value, change }: { value: string; change: (email: string) => void }) {
  const words = useWords();
  return (
    <Field
      label={words.email}
      name="email"
      type="email"
      autoComplete="email"
      maxLength={320}
      value={value}
      onChange={({ target }) => change(target.value)}
    />
  );
}

function Inbox({ email }: { email: string }) {
  const words = useWords();
  return (
    <section className="card narrow" role="status">
      <h2>{words.inbox}</h2>
      <p>{say(words.inboxLead, { email })}</p>
      <p>
        <a className="button" href="#/account">
          {words.login}
        </a>
      </p>
    </section>
  );
}

function SignedIn({ name }: { name: string }) {
  const words = useWords();
  const client = useApolloClient();
  const [logout, { loading }] = useMutation(LogoutCustomerDocument);
  async function leave() {
    await logout().catch(() => undefined); // without a connection, too
    rememberCustomer(undefined);
    sessionStorage.clear();
    await client.resetStore().catch(() => undefined);
  }
  return (
    <section className="card narrow">
      <h2>{say(words.signedInAs, { name })}</h2>
      <p className="row">
        <a className="button" href="#/orders">
          {words.orders}
        </a>
        <button className="quiet" type="button" disabled={loading} onClick={() => void leave()}>
          {words.logout}
        </button>
      </p>
    </section>
  );
}
