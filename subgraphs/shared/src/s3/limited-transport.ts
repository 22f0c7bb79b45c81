import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';

/** For requests that a server may work on in silence: it copies an object, or joins the parts of one. */
const SLOW_MS = 10 * 60_000;

/** Fewer bytes in the time in which a server may be silent are no answer. */
const LEAST_BYTES = 4096;

/**
 * The requests of an S3 client, ended when the server is silent for too long: before it has connected, before it answers,
 * or between two bytes of its answer; or when it sends hardly anything in that time. A reader that pauses is no silence of the
 * server.
 *
 * @param timeoutMs how long it may be silent, in milliseconds; longer while it copies or joins
 */
export function limitedTransport(secure: boolean, timeoutMs: number): Pick<typeof http, 'request'> {
  function request(options: https.RequestOptions, answer?: (response: IncomingMessage) => void): ClientRequest {
    const limit = isSlow(options) ? Math.max(SLOW_MS, timeoutMs) : timeoutMs;
    const sent = (secure ? https : http).request({ ...options, timeout: limit });
    let response: IncomingMessage | undefined;
    sent.once('response', (answered) => {
      response = answered;
      endDripping(answered, limit);
      answer?.(answered);
    });
    sent.on('timeout', () => {
      if (response && response.readableLength > 0) {
        sent.setTimeout(limit); // bytes wait to be read: the server was not silent
        return;
      }
      const silent = Object.assign(new Error(`The object store was silent for ${limit} ms.`), { code: 'ETIMEDOUT' });
      (response ?? sent).destroy(silent);
    });
    return sent;
  }
  return { request: request as typeof http.request }; // the client never passes a URL
}

/** Ends an answer that comes so slowly that it would never end. A time in which the reader paused at its beginning or end does not count. */
function endDripping(response: IncomingMessage, limit: number): void {
  const { socket } = response;
  let before = { bytes: socket.bytesRead, isAwaited: true };
  const watch = setInterval(() => {
    const now = { bytes: socket.bytesRead, isAwaited: response.readableLength === 0 };
    const received = now.bytes - before.bytes;
    const isOwed = before.isAwaited && now.isAwaited && !response.complete;
    before = now;
    if (!isOwed || received >= LEAST_BYTES) return;
    const slow = `The object store sent ${received} bytes in ${limit} ms.`;
    response.destroy(Object.assign(new Error(slow), { code: 'ETIMEDOUT' }));
  }, limit).unref();
  response.once('close', () => clearInterval(watch));
}

function isSlow({ method, path, headers = {} }: https.RequestOptions): boolean {
  const copies = Object.keys(headers).some((name) => name.toLowerCase() === 'x-amz-copy-source');
  return copies || (method === 'POST' && /[?&]uploadId=/.test(path ?? ''));
}
