import { useQuery, useSubscription } from '@apollo/client/react';
import { useState } from 'react';

import {
  LibraryChangedDocument,
  LibraryDocument,
  ProgressDocument,
  type VideoFragment,
} from '../generated/operations.ts';
import { Problem } from '../parts.tsx';
import { readAnew, useReadAgain } from '../read-again.ts';
import { Player } from './player.tsx';
import { UploadList } from './upload-list.tsx';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/language.ts';

interface LibraryProps {
  workspaceId: string;
  name: string;
  /** The folder of the organization in the store. */
  tenant: string;
}

/** The videos of a workspace, updated as they are added and processed. */
export function Library({ workspaceId, name, tenant }: LibraryProps) {
  const words = useWords();
  const read = useQuery(LibraryDocument, {
    variables: { workspaceId },
    fetchPolicy: 'cache-and-network',
    context: readAnew,
  });
  const { data, error } = read;
  const readAgain = useReadAgain(read);
  // Events update known items in the cache; for new and removed ones the list is read again, and so it is after an event without
  // an item, which is sent where some may have been missed.
  const { error: unfollowed, restart } = useSubscription(LibraryChangedDocument, {
    variables: { workspaceId },
    onData: readAgain,
    onError: readAgain,
  });
  const ladder = data?.transcodingProfiles?.find(({ isDefault }) => isDefault);
  const items = data?.mediaList?.edges.map(({ node }) => node) ?? [];

  return (
    <div className="grid">
      {data && (
        <UploadList
          place={{ workspaceId, tenant, ...(ladder && { transcodingProfileId: ladder.id }) }}
          done={readAgain}
        />
      )}
      <section className="card" aria-label={name}>
        <h2>{words.workspace + words.colon + name}</h2>
        <Problem of={error} />
        <Problem of={error ? undefined : unfollowed} again={restart} />
        {data && items.length === 0 && (
          <p>
            <strong>{words.nothing}</strong>
            <span className="small">{words.nothingLead}</span>
          </p>
        )}
        <ul className="described">
          {items.map((media) => (
            <Item key={media.id} media={media} readAgain={readAgain} />
          ))}
        </ul>
      </section>
    </div>
  );
}

/** A step of processing; a video that plays already may be done with all of them. */
const stageText = ({ transcodingStage: stage }: VideoFragment, words: Words) =>
  stage === null || stage === 'done' || stage === 'failed' ? '' : words[`STAGE_${stage}`];

function Failure({ media: { cancelled, failureReason } }: { media: VideoFragment }) {
  const words = useWords();
  if (cancelled) return <span>{words.processingCancelled}</span>;
  return (
    <>
      <span>{words.notProcessed}</span>
      {failureReason && (
        <details>
          <summary>{words.technical}</summary>
          <code lang="en">{failureReason}</code>
        </details>
      )}
    </>
  );
}

function Item({ media, readAgain }: { media: VideoFragment; readAgain: () => void }) {
  const words = useWords();
  const [playing, setPlaying] = useState(false);
  const failed = media.status === 'failed' || media.transcodingStage === 'failed';
  // A `ready` video can be watched, though its other qualities may still be in the making.
  const underway = !failed && (media.status === 'processing' || (media.transcodingStage ?? 'done') !== 'done');
  // The event has an id, so Apollo's cache is updated, and `media` with it.
  useSubscription(ProgressDocument, { variables: { mediaId: media.id }, skip: !underway, onError: readAgain });
  const title = media.title ?? media.id;
  return (
    <li>
      <strong>{title}</strong>
      {underway && (
        <span role="status">
          {words.processing + words.colon + stageText(media, words)} {media.progress ?? 0} %
          <progress aria-label={words.processing + words.colon + title} max={100} value={media.progress ?? 0} />
        </span>
      )}
      {failed && <Failure media={media} />}
      {media.manifestUrl && !playing && (
        <p>
          <button className="quiet" type="button" onClick={() => setPlaying(true)}>
            {words.play + words.colon + title}
          </button>
        </p>
      )}
      {playing && media.manifestUrl && <Player title={title} url={media.manifestUrl} />}
    </li>
  );
}
