import { useEffect, useRef, useState, useSyncExternalStore, type DragEvent } from 'react';

import { Problem } from '../parts.tsx';
import { say, tags, useLanguage, useWords } from '../words/language.ts';
import { begin, refusalOfUpload, uploadsOf, type Place, type Upload } from './uploads.ts';

type Uploads = ReturnType<typeof uploadsOf>;

const watchNetwork = (changed: () => void) => {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
};

/** The place to drop files, and the uploads that are under way. */
export function UploadList({ place, done }: { place: Place; done: () => void }) {
  const words = useWords();
  const uploads = uploadsOf(place);
  const all = useSyncExternalStore(
    (changed) => uploads.store.subscribe(changed),
    () => uploads.getState().files,
  );
  const files = Object.values(all).filter(({ progress }) => !progress.uploadComplete);
  const isOnline = useSyncExternalStore(watchNetwork, () => navigator.onLine);
  useEffect(() => {
    uploads.on('upload-success', done);
    return () => void uploads.off('upload-success', done);
  }, [uploads, done]);

  return (
    <section className="card uploads" aria-labelledby="uploads">
      <h2 id="uploads">{words.uploads}</h2>
      <DropZone uploads={uploads} />
      {!isOnline && (
        <p role="status" className="notice">
          {words.offline}
        </p>
      )}
      <ul className="described">
        {files.map((file) => (
          <UploadRow key={file.id} uploads={uploads} file={file} />
        ))}
      </ul>
      <p className="small">{words.uploadNote}</p>
    </section>
  );
}

function DropZone({ uploads }: { uploads: Uploads }) {
  const words = useWords();
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState('');

  function add(chosen: FileList | null) {
    setRefused('');
    for (const file of chosen ?? []) {
      try {
        uploads.addFile({ name: file.name, type: file.type, data: file });
      } catch {
        // The other reason is that it is listed already.
        if (!file.type.startsWith('video/')) setRefused(say(words.notAVideo, { name: file.name }));
      }
    }
  }
  useEffect(() => {
    // A browser leaves the page for a file that is dropped beside the zone.
    const keep = (event: globalThis.DragEvent) => event.preventDefault();
    window.addEventListener('dragover', keep);
    window.addEventListener('drop', keep);
    return () => {
      window.removeEventListener('dragover', keep);
      window.removeEventListener('drop', keep);
    };
  }, []);
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    add(event.dataTransfer.files);
  }

  return (
    <>
      <label
        className={`drop ${over ? 'over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {words.drop} <span className="button quiet">{words.browse}</span>
        <input
          type="file"
          name="file"
          accept="video/*"
          multiple
          onChange={({ target }) => {
            add(target.files);
            target.value = ''; // the same file may be chosen again
          }}
        />
      </label>
      {refused && (
        <p role="alert" className="notice bad-news">
          {refused}
        </p>
      )}
    </>
  );
}

const WINDOW_MS = 5_000;

/** The bytes per second of the last seconds; 0 while nothing moves. */
function useSpeed(bytes: number): number {
  const samples = useRef<{ at: number; bytes: number }[]>([]);
  const [speed, setSpeed] = useState(0);
  useEffect(() => {
    const at = performance.now();
    samples.current = [...samples.current.filter((sample) => at - sample.at < WINDOW_MS), { at, bytes }];
    const [first] = samples.current;
    setSpeed(first && at > first.at ? Math.max(0, ((bytes - first.bytes) / (at - first.at)) * 1_000) : 0);
  }, [bytes]);
  return speed;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function sizeText(bytes: number, tag: string): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1_000)));
  const unit = UNITS[step] ?? 'byte';
  return new Intl.NumberFormat(tag, { style: 'unit', unit, maximumFractionDigits: step > 1 ? 1 : 0 }).format(
    bytes / 1_000 ** step,
  );
}

const timeText = (seconds: number, tag: string) =>
  new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: seconds < 90 ? 'second' : 'minute',
    maximumFractionDigits: 0,
  }).format(seconds < 90 ? seconds : seconds / 60);

function UploadRow({ uploads, file }: { uploads: Uploads; file: Upload }) {
  const words = useWords();
  const tag = tags[useLanguage()];
  const { name, size, progress, isPaused = false } = file;
  const sent = Number(progress.bytesUploaded) || 0;
  const percent = size ? Math.floor((sent / size) * 100) : 0;
  const speed = useSpeed(sent);
  const isGhost = 'isGhost' in file && file.isGhost;
  const hasFailed = Boolean(file.error);
  const parts = [
    isGhost ? words.needsFile : isPaused ? words.paused : progress.uploadStarted ? words.uploading : words.waiting,
    `${percent} %`,
    ...(size ? [`${sizeText(sent, tag)} / ${sizeText(size, tag)}`] : []),
    ...(speed > 0 && !isPaused && !hasFailed && size
      ? [
          say(words.perSecond, { size: sizeText(speed, tag) }),
          say(words.secondsLeft, { time: timeText((size - sent) / speed, tag) }),
        ]
      : []),
  ];
  return (
    <li>
      <strong>{name}</strong>
      <progress aria-label={words.uploading + words.colon + name} max={100} value={percent} />
      {hasFailed ? (
        <Problem of={refusalOfUpload(file.id) ?? new TypeError(String(file.error))} />
      ) : (
        <span>{parts.join(' · ')}</span>
      )}
      <Buttons uploads={uploads} file={file} hasFailed={hasFailed} canPause={!isGhost} />
    </li>
  );
}

interface ButtonsProps {
  uploads: Uploads;
  file: Upload;
  hasFailed: boolean;
  canPause: boolean;
}

function Buttons({ uploads, file: { id, name, isPaused = false }, hasFailed, canPause }: ButtonsProps) {
  const words = useWords();
  const short = (text: string) => text.replace(/[:：]\s*\{name\}/, '');
  return (
    <p className="row">
      {hasFailed ? (
        <button
          className="quiet"
          type="button"
          aria-label={say(words.retry, { name })}
          onClick={() => void begin(uploads, id)}
        >
          {short(words.retry)}
        </button>
      ) : (
        canPause && (
          <button
            className="quiet"
            type="button"
            aria-label={say(isPaused ? words.resume : words.pause, { name })}
            onClick={() => uploads.pauseResume(id)}
          >
            {short(isPaused ? words.resume : words.pause)}
          </button>
        )
      )}
      <button
        className="quiet"
        type="button"
        aria-label={say(words.cancel, { name })}
        onClick={() => uploads.removeFile(id)}
      >
        {short(words.cancel)}
      </button>
    </p>
  );
}
