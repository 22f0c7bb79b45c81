import type { Log } from '@foyer/shared/telemetry/log';
import { carriedTrace } from '@foyer/shared/telemetry/tracing';

import { signatureOf } from '../uploads/hooks/credentials.ts';

interface Options {
  hookUrl: URL;
  secret: string;
  log: Log;
}

const TRIES = 3;
const PAUSE_MS = 1_000;
const TIMEOUT_MS = 15_000;

/**
 * Reports to the server that an upload is complete, as a signed hook of tusd 2. A server that misses it finds the
 * upload in the journal a minute later.
 */
export async function sendHook({ hookUrl, secret, log }: Options, { id, size }: { id: string; size: number }) {
  const body = JSON.stringify({ Type: 'post-finish', Event: { Upload: { ID: id, Size: size, Offset: size } } });
  for (let tried = 1; tried <= TRIES; tried++) {
    try {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const response = await fetch(hookUrl, {
        method: 'POST',
        headers: {
          ...carriedTrace(),
          'content-type': 'application/json',
          'x-hook-timestamp': timestamp,
          'x-hook-signature': signatureOf(Buffer.from(body), timestamp, secret),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.ok) return;
      log.warn({ uploadId: id, status: response.status }, 'the server did not accept the hook');
      if (response.status < 500) return;
    } catch (error) {
      log.warn({ err: error, uploadId: id }, 'the hook could not be sent');
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
