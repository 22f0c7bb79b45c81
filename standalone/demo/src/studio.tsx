import { useApolloClient, useMutation, useQuery, useSubscription } from '@apollo/client/react';
import { useState, type FormEvent } from 'react';
import { Upload } from 'tus-js-client';

import { becomes, reasonOf } from './client.ts';
import {
  LibraryChangedDocument,
  LibraryDocument,
  LoginDocument,
  LogoutDocument,
  MeDocument,
  PrepareUploadDocument,
  ProgressDocument,
  type VideoFragment,
  type MeQuery,
  type PrepareUploadInput,
} from './generated/operations.ts';
import { asError, Field, Problem, typed } from './parts.tsx';
import { Player } from './player.tsx';
import { useWords } from './words.ts';

type Me = MeQuery['me'];

/** Where staff upload and watch. */
export function Studio() {
  const words = useWords();
  const client = useApolloClient();
  const { data, error, loading, refetch } = useQuery(MeDocument, { fetchPolicy: 'network-only' });
  const [logout] = useMutation(LogoutDocument);
  async function leave() {
    await logout();
    becomes();
    await client.resetStore().catch(() => undefined); // nobody is signed in: that is the point
  }

  if (loading && !data) return <p role="status">{words.loading}</p>;
  if (!data) {
    const unexpected = reasonOf(error) === 'UNAUTHENTICATED' ? undefined : error;
    return <SignIn problem={unexpected} done={() => void refetch()} />;
  }
  const workspace = data.me.organization.workspaces.find(({ permissions }) => permissions.includes('media:upload'));
  return (
    <>
      <p className="row">
        <span>{data.me.user.name}</span>
        <button className="quiet" type="button" onClick={() => void leave()}>
          {words.signOut}
        </button>
      </p>
      {workspace && <Library workspaceId={workspace.id} name={workspace.name} tenant={data.me.organization.slug} />}
    </>
  );
}

function SignIn({ done, problem }: { done: () => void; problem: Error | undefined }) {
  const words = useWords();
  const [login, { error, loading }] = useMutation(LoginDocument);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { companyCode = '', username = '', password = '' } = typed(event.currentTarget);
    await login({ variables: { input: { companyCode, username, password } } });
    becomes();
    done();
  }
  return (
    <form className="card stack" onSubmit={(event) => void submit(event).catch(() => undefined)}>
      <Field label={words.company} name="companyCode" autoComplete="organization" />
      <Field label={words.username} name="username" autoComplete="username" />
      <Field label={words.password} name="password" type="password" autoComplete="current-password" />
      <Problem of={error ?? problem} />
      <p>
        <button disabled={loading}>{words.signIn}</button>
      </p>
    </form>
  );
}

function Library({
  workspaceId,
  name,
  tenant,
}: {
  workspaceId: string;
  name: string;
  tenant: Me['organization']['slug'];
}) {
  const words = useWords();
  const { data, error, refetch } = useQuery(LibraryDocument, { variables: { workspaceId } });
  // Known items change in the cache by themselves; for new ones, and such as have gone, the list is read again.
  useSubscription(LibraryChangedDocument, { variables: { workspaceId }, onData: () => void refetch() });
  const ladder = data?.transcodingProfiles?.find(({ isDefault }) => isDefault);
  const items = data?.mediaList?.edges.map(({ node }) => node) ?? [];

  return (
    <div className="grid">
      {data && (
        <UploadForm
          place={{ workspaceId, tenant, ...(ladder && { transcodingProfileId: ladder.id }) }}
          done={() => void refetch()}
        />
      )}
      <section className="card" aria-label={name}>
        <h2>
          {words.workspace}: {name}
        </h2>
        <Problem of={error} />
        {data && items.length === 0 && <p>{words.nothing}</p>}
        <ul className="doors">
          {items.map((media) => (
            <Item key={media.id} media={media} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function Item({ media }: { media: VideoFragment }) {
  const words = useWords();
  const [playing, setPlaying] = useState(false);
  // What it brings has an id, so that the cache, and `media` with it, follow.
  useSubscription(ProgressDocument, { variables: { mediaId: media.id }, skip: media.status !== 'processing' });
  const title = media.title ?? media.id;
  return (
    <li>
      <strong>{title}</strong>
      {media.status === 'processing' && (
        <span role="status">
          {words.processing}: {media.transcodingStage} {media.progress ?? 0} %
          <progress aria-label={`${words.processing}: ${title}`} max={100} value={media.progress ?? 0} />
        </span>
      )}
      {media.status === 'failed' && (
        <span>
          {words.failed}: {media.failureReason}
        </span>
      )}
      {media.status === 'ready' && media.manifestUrl && !playing && (
        <p>
          <button className="quiet" type="button" onClick={() => setPlaying(true)}>
            {words.play}: {title}
          </button>
        </p>
      )}
      {playing && media.manifestUrl && <Player title={title} url={media.manifestUrl} />}
    </li>
  );
}

interface UploadFormProps {
  place: Pick<PrepareUploadInput, 'workspaceId' | 'tenant' | 'transcodingProfileId'>;
  done: () => void;
}

function UploadForm({ place, done }: UploadFormProps) {
  const words = useWords();
  const [prepare] = useMutation(PrepareUploadDocument);
  const [percent, setPercent] = useState<number>();
  const [error, setError] = useState<Error>();

  async function upload(file: File) {
    const fileName = `${Date.now()}-${file.name.replaceAll(/[^\w.-]/g, '-')}`;
    const input = { ...place, folder: 'demo', mediaType: 'video', mimeType: file.type, fileSize: file.size };
    const { data } = await prepare({
      variables: { input: { ...input, title: file.name, originalName: file.name, fileName } },
    });
    if (!data?.prepareUpload) return;
    const { uploadToken, uploadUrl } = data.prepareUpload;
    await new Promise<void>((resolve, reject) => {
      // tus goes on where it was when the line breaks.
      const sending = new Upload(file, {
        endpoint: uploadUrl,
        chunkSize: 8 * 1024 * 1024,
        storeFingerprintForResuming: false,
        metadata: { filename: fileName, filetype: file.type, uploadToken },
        onProgress: (sent, size) => setPercent(Math.round((sent / size) * 100)),
        onSuccess: () => resolve(),
        onError: reject,
      });
      sending.start();
    });
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const file = new FormData(form).get('file');
    if (!(file instanceof File)) return;
    setError(undefined);
    setPercent(0);
    try {
      await upload(file);
      form.reset();
      done();
    } catch (problem) {
      setError(asError(problem));
    }
    setPercent(undefined);
  }

  return (
    <form className="card stack" onSubmit={(event) => void submit(event)}>
      <Field label={words.video} name="file" type="file" accept="video/*" />
      <Problem of={error} />
      {percent !== undefined && <progress aria-label={words.uploading} max={100} value={percent} />}
      <p>
        <button disabled={percent !== undefined}>{words.upload}</button>
      </p>
    </form>
  );
}
