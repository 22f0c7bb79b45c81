import { useMutation } from '@apollo/client/react';
import { useState, type FormEvent } from 'react';
import { Upload } from 'tus-js-client';

import { PrepareUploadDocument, type PrepareUploadInput } from '../generated/operations.ts';
import { asError, Field, Problem } from '../parts.tsx';
import { useWords } from '../words/language.ts';

interface UploadFormProps {
  place: Pick<PrepareUploadInput, 'workspaceId' | 'tenant' | 'transcodingProfileId'>;
  done: () => void;
}

/** The two steps of an upload: a token from `prepareUpload`, then the bytes by tus. */
export function UploadForm({ place, done }: UploadFormProps) {
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
      // After a lost connection tus resumes the upload.
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
      <Field label={words.browse} name="file" type="file" accept="video/*" />
      <Problem of={error} />
      {percent !== undefined && <progress aria-label={words.uploading} max={100} value={percent} />}
      <p>
        <button disabled={percent !== undefined}>{words.uploads}</button>
      </p>
    </form>
  );
}
