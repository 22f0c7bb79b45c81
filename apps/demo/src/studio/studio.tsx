import { useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { useEffect, type FormEvent } from 'react';

import { reasonOf } from '../refusals.ts';
import { staffChanged } from '../sockets.ts';
import { LoginDocument, LogoutDocument, MeDocument } from '../generated/operations.ts';
import { Empty, Field, Problem, typed } from '../parts.tsx';
import { forgetStaff, staffName } from '../sessions.ts';
import { useWords } from '../words/language.ts';
import { Library } from './library.tsx';

/** The page on which staff upload and watch videos. */
export default function Studio() {
  const words = useWords();
  const client = useApolloClient();
  const { data, error, loading, refetch } = useQuery(MeDocument, { fetchPolicy: 'network-only' });
  const [logout, { error: stayed }] = useMutation(LogoutDocument);
  const me = data?.me;
  const name = me ? (me.user.name ?? me.organization.slug) : undefined;
  useEffect(() => {
    if (name === undefined) return undefined;
    staffName.write(name);
    // The session has ended here, in another tab, or by itself; or somebody else has signed in.
    return staffName.watch(() => {
      if (staffName.read() === name) return;
      staffChanged();
      client.resetStore().catch(() => undefined); // nobody is signed in: that is the point
    });
  }, [client, name]);
  async function leave() {
    await logout();
    forgetStaff();
  }

  if (loading && !data) return <p role="status">{words.loading}</p>;
  if (!me) {
    const unexpected = reasonOf(error) === 'UNAUTHENTICATED' ? undefined : error;
    return <LoginForm problem={unexpected} done={() => void refetch()} />;
  }
  const workspace = me.organization.workspaces.find(({ permissions }) => permissions.includes('media:upload'));
  return (
    <>
      <p className="row">
        <span>{me.user.name}</span>
        <button className="quiet" type="button" onClick={() => void leave().catch(() => undefined)}>
          {words.logout}
        </button>
      </p>
      <Problem of={stayed} />
      {workspace ? (
        <Library workspaceId={workspace.id} name={workspace.name} tenant={me.organization.slug} />
      ) : (
        <Empty title={words.noWorkspace} />
      )}
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
    staffChanged();
    done();
  }
  return (
    <form className="card stack narrow" onSubmit={(event) => void submit(event).catch(() => undefined)}>
      <h2>{words.login}</h2>
      <Field label={words.company} name="companyCode" autoComplete="organization" maxLength={100} />
      <Field label={words.username} name="username" autoComplete="username" maxLength={200} />
      <Field label={words.password} name="password" type="password" autoComplete="current-password" maxLength={200} />
      <Problem of={error ?? problem} />
      <p>
        <button disabled={loading}>{words.login}</button>
      </p>
    </form>
  );
}
