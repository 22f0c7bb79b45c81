import { finished, Transform, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ERRORS, type CancellationContext, type DataStore, type Server, type Upload } from '@tus/server';

interface OfNode {
  runtime?: { node?: { req: Readable } | undefined } | undefined;
}

/**
 * Makes a tus server write the bodies that `keepBody` left as they are. The library makes a web stream of each body and a
 * stream of Node of that, which takes half of the CPU of an upload.
 */
export function writeKeptBodies({ handlers, datastore }: Server): void {
  const writeToStore = (body: Readable | null, upload: Upload, most: number, { signal }: CancellationContext) =>
    write(datastore, { body, upload, most, signal });
  Object.assign(handlers.PATCH, { writeToStore });
  Object.assign(handlers.POST, { writeToStore });
}

/** Leaves the body of a request as it is, before anything reads it. */
export function keepBody(request: Request & OfNode): void {
  Object.defineProperty(request, 'body', { value: request.runtime?.node?.req ?? null });
}

/** tus 1.0, "PATCH" and "Creation With Upload". */
const BODY_TYPE = 'application/offset+octet-stream';

/** Refuses bytes of another type that come with a creation: the library would drop them, unchecked, and answer success. */
export function checkBodyType({ method, headers }: Request): void {
  const hasBody = Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding');
  if (method !== 'POST' || !hasBody || headers.get('content-type') === BODY_TYPE) return;
  throw Object.assign(new Error('a creation has bytes of another type'), {
    status_code: 415,
    body: 'Invalid content-type\n', // as the library says it for PATCH
  });
}

interface Received {
  body: Readable | null;
  upload: Upload;
  /** In bytes. */
  most: number;
  signal: AbortSignal;
}

/**
 * Writes a body to the store. As in the library, what has arrived is kept when the request is cancelled, and the request
 * itself stays open for the answer.
 */
async function write(store: DataStore, { body, upload, most, signal }: Received): Promise<number> {
  const aborted = () => Object.assign(new Error('an upload was broken off'), ERRORS.ABORTED);
  if (signal.aborted) throw aborted();
  const bytes = new Limited(most);
  const keepWhatArrived = () => {
    body?.unpipe(bytes);
    if (!bytes.destroyed) bytes.end();
  };
  let isBrokenOff = false;
  const stopWatching = body
    ? finished(body, { writable: false }, (error) => {
        if (!error || signal.aborted) return;
        isBrokenOff = true;
        bytes.destroy(error);
      })
    : undefined;
  signal.addEventListener('abort', keepWhatArrived, { once: true });
  try {
    if (body) body.pipe(bytes);
    else bytes.end();
    return await pipeline(bytes, () => store.write(bytes, upload.id, upload.offset));
  } catch (error) {
    throw isBrokenOff || (error instanceof Error && error.name === 'AbortError') ? aborted() : error;
  } finally {
    body?.unpipe(bytes);
    stopWatching?.();
    signal.removeEventListener('abort', keepWhatArrived);
  }
}

/** Passes on as many bytes as an upload may have. */
class Limited extends Transform {
  #left: number;

  constructor(most: number) {
    super();
    this.#left = most;
  }

  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    this.#left -= piece.length;
    if (this.#left < 0) done(Object.assign(new Error('an upload is too large'), ERRORS.ERR_MAX_SIZE_EXCEEDED));
    else done(null, piece);
  }
}
