import Uppy, { type UppyFile } from '@uppy/core';
import GoldenRetriever from '@uppy/golden-retriever';
import Tus from '@uppy/tus';

import { client } from '../client.ts';
import { RefusedError } from '../refusals.ts';
import { PrepareUploadDocument, type PrepareUploadInput } from '../generated/operations.ts';
import { asError } from '../parts.tsx';

/** What travels with a file: the metadata of tus, and until when its token is good. */
type Meta = Partial<Record<'filename' | 'filetype' | 'uploadToken' | 'expiresAt', string>>;
type Body = Record<string, never>;
export type Upload = UppyFile<Meta, Body>;

export type Place = Pick<PrepareUploadInput, 'workspaceId' | 'tenant' | 'transcodingProfileId'>;

const CHUNK_BYTES = 8 * 1024 * 1024;
const SECOND = 1_000;
const RETRY_DELAYS_MS = [0, 1, 3, 5, 10, 20, 30, 60, 60, 60].map((seconds) => seconds * SECOND);
const DAY_MS = 24 * 3_600 * SECOND;
const GIB = 1024 ** 3;

/** The code of an upload whose media item exists: a page that was left before its browser kept that shows it once more. */
const COMPLETE = 'UPLOAD_TOKEN_USED';

/** Why uploads were refused, by file: with the reason of the refusal. */
const refusals = new Map<string, Error>();
export const refusalOfUpload = (id: string): Error | undefined => refusals.get(id);

/**
 * The uploads of a workspace. Golden Retriever keeps the list and the files in the browser, and tus asks the server how
 * far a file is: so they go on after a reload, a restart of the browser and a lost connection.
 */
function openUploads(place: Place) {
  const uppy = new Uppy<Meta, Body>({
    id: `studio-${place.workspaceId}`,
    allowMultipleUploadBatches: true,
    restrictions: { allowedFileTypes: ['video/*'] },
  })
    .use(Tus, {
      endpoint: '/files', // each file has its own, from `prepareUpload`
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      limit: 2,
      onShouldRetry: (error, _attempt, _options, retriesByDefault) =>
        codeIn(xhrOf(error)) !== COMPLETE && retriesByDefault(error),
      removeFingerprintOnSuccess: true,
      allowedMetaFields: ['filename', 'filetype', 'uploadToken'],
    })
    .use(GoldenRetriever, {
      expires: 7 * DAY_MS,
      // Larger files must be chosen again after a restart, and then go on where they were.
      // Its types lack these options of its store.
      indexedDB: { maxFileSize: 2 * GIB, maxTotalSize: 8 * GIB } as object,
    });
  uppy.addPreProcessor(async (ids) => {
    await Promise.all(ids.map((id) => prepare(uppy, id, place)));
  });
  uppy.on('upload-error', (file, _error, response) => {
    if (file && response) learn(uppy, file.id, response);
  });
  uppy.on('file-added', (file) => void begin(uppy, file.id));
  uppy.on('restored', () => goOn(uppy));
  // Not earlier: a file that is removed while tus ends is deleted on the server.
  uppy.on('complete', ({ successful = [] }) => uppy.removeFiles(successful.map(({ id }) => id)));
  return uppy;
}

/**
 * Begins an upload, or tries one again. Each file is a batch of its own: `upload` of Uppy would first try all again that
 * were refused, and the others of a batch wait for the slowest.
 */
export async function begin(uppy: Uppy<Meta, Body>, id: string): Promise<void> {
  const { successful = [] } = (await uppy.retryUpload(id)) ?? {};
  uppy.removeFiles(successful.map((file) => file.id)); // no `complete` is emitted for it
}

/**
 * Continues what was restored; a file that the browser did not keep waits until it is chosen again. A browser that was
 * closed right after a file was added has kept the file, but not that its upload had begun.
 */
function goOn(uppy: Uppy<Meta, Body>) {
  const { currentUploads, files } = uppy.getState();
  const isThere = (id: string) => files[id]?.data instanceof Blob;
  const whole = Object.entries(currentUploads)
    .map(([id, upload]) => [id, { ...upload, fileIDs: upload.fileIDs.filter(isThere) }] as const)
    .filter(([, { fileIDs }]) => fileIDs.length > 0);
  const known = new Set(whole.flatMap(([, { fileIDs }]) => fileIDs));
  const others = Object.values(files).filter(
    ({ id, progress }) => isThere(id) && !known.has(id) && !progress.uploadComplete,
  );
  for (const { id } of others) whole.push([id, { fileIDs: [id], step: 0, result: {} }]);
  uppy.setState({ currentUploads: Object.fromEntries(whole) });
  if (whole.length > 0) uppy.emit('restore-confirmed');
}

interface Response {
  status: number;
  body?: { xhr?: XMLHttpRequest };
}

/**
 * Keeps the reason of a refusal. An upload that the server does not take any more, or no longer has, is forgotten: trying
 * again begins a new one.
 */
function learn(uppy: Uppy<Meta, Body>, id: string, { status, body }: Response): void {
  if (codeIn(body?.xhr) === COMPLETE) return uppy.removeFile(id);
  refusals.set(id, new RefusedError({ reason: codeIn(body?.xhr), code: status < 500 ? 'UPLOAD_REJECTED' : 'BUSY' }));
  if (status >= 500) return;
  const { uploadUrl: _gone, ...tus } = { uploadUrl: null, ...uppy.getFile(id).tus };
  uppy.setFileState(id, { tus });
  uppy.setFileMeta(id, { expiresAt: '' });
}

const xhrOf = ({ originalResponse }: { originalResponse: { getUnderlyingObject(): unknown } | null }) =>
  originalResponse?.getUnderlyingObject() as XMLHttpRequest | undefined;

/** The `code` of an error of REST (docs/errors.md). */
function codeIn(xhr: XMLHttpRequest | undefined): unknown {
  try {
    return (JSON.parse(xhr?.responseText ?? '') as { code?: unknown }).code;
  } catch {
    return undefined; // of a proxy
  }
}

/** Waits until the browser is online. */
async function connection(): Promise<void> {
  if (navigator.onLine) return;
  await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
}

/**
 * Gets a token for a file, unless the upload has begun or has one that is still good. A refusal is an error of the file,
 * which tus then passes over; if it were thrown, the others of a restored batch would stop, too.
 */
async function prepare(uppy: Uppy<Meta, Body>, id: string, place: Place): Promise<void> {
  const file = uppy.getFile(id);
  uppy.setFileState(id, { error: null }); // of the time before it was restored
  const hasToken = Date.parse(file.meta.expiresAt ?? '') > Date.now();
  if (hasToken || file.tus?.uploadUrl) return;
  refusals.delete(id);
  try {
    await connection();
    const fileName = `${Date.now()}-${file.name.replaceAll(/[^\w.-]/g, '-')}`;
    const input = { ...place, folder: 'demo', mediaType: 'video', mimeType: file.type, fileSize: file.size ?? 0 };
    const { data } = await client.mutate({
      mutation: PrepareUploadDocument,
      variables: { input: { ...input, title: file.name, originalName: file.name, fileName } },
    });
    if (!data?.prepareUpload) throw new Error('nothing was prepared');
    if (!uppy.getFile(id)) return; // cancelled meanwhile
    const { uploadToken, uploadUrl, expiresAt } = data.prepareUpload;
    uppy.setFileMeta(id, { filename: fileName, filetype: file.type, uploadToken, expiresAt });
    uppy.setFileState(id, { tus: { ...uppy.getFile(id).tus, endpoint: uploadUrl } });
  } catch (error) {
    if (!uppy.getFile(id)) return;
    const refusal = asError(error);
    refusals.set(id, refusal);
    uppy.setFileState(id, { error: refusal.message });
  }
}

const opened = new Map<Place['workspaceId'], Uppy<Meta, Body>>();

/** They go on while other pages of the demonstration are shown. */
export function uploadsOf(place: Place): Uppy<Meta, Body> {
  const { workspaceId } = place;
  const uploads = opened.get(workspaceId) ?? openUploads(place);
  opened.set(workspaceId, uploads);
  return uploads;
}
