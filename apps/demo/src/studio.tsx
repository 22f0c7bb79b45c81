import { useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import type { FormEvent } from 'react';

import { viewerChanged, reasonOf } from './client.ts';
import { LoginDocument, LogoutDocument, MeDocument } from './generated/operations.ts';
import { Library } from './library.tsx';
import { Field, Problem, typed } from './parts.tsx';
import { useWords } from './words.ts';

/** The page on which staff upload and watch videos. */
export function Studio() {
  const words = useWords();
  const client = useApolloClient();
  const { data, error, loading, refetch } = useQuery(MeDocument, { fetchPolicy: 'network-only' });
  const [logout] = useMutation(LogoutDocument);
  async function leave() {
    await logout();
    viewerChanged();
    await client.resetStore().catch(() => undefined); // nobody is signed in: that is the point
  }

  if (loading && !data) return <p role="status">{words.loading}</p>;
  const me = data?.me;
  if (!me) {
    const unexpected = reasonOf(error) === 'UNAUTHENTICATED' ? undefined : error;
    return <LoginForm problem={unexpected} done={() => void refetch()} />;
  }
  const workspace = me.organization.workspaces.find(({ permissions }) => permissions.includes('media:upload'));
  return (
    <>
      <p className="row">
        <span>{me.user.name}</span>
        <button className="quiet" type="button" onClick={() => void leave()}>
          {words.logout}
        </button>
      </p>
      {workspace && <Library workspaceId={workspace.id} name={workspace.name} tenant={me.organization.slug} />}
    </>
  );
}

function LoginForm({ done, problem }: { done: () => void; problem: Error | undefined }) {
  const words = useWords();
  const [login, { error, loading }] = useMutation(LoginDocument);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { companyCode = '', username = '', password = '' } = typed(event.currentTarget);
    await login({ variables: { input: { companyCode, username, password } } });
    viewerChanged();
    done();
  }
  return (
    <form className="card stack" onSubmit={(event) => void submit(event).catch(() => undefined)}>
      <Field label={words.company} name="companyCode" autoComplete="organization" />
      <Field label={words.username} name="username" autoComplete="username" />
      <Field label={words.password} name="password" type="password" autoComplete="current-password" />
      <Problem of={error ?? problem} />
      <p>
        <button disabled={loading}>{words.login}</button>
      </p>
    </form>
  );
}
