import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';

/** For requests that a server may work on in silence: it copies an object, or joins the parts of one. */
const SLOW_MS = 10 * 60_000;

/**
 * The requests of an S3 client, ended when the server is silent for too long: before it has connected, before it answers,
 * or between two bytes of its answer. A reader that pauses is no silence of the server.
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

function isSlow({ method, path, headers = {} }: https.RequestOptions): boolean {
  const copies = Object.keys(headers).some((name) => name.toLowerCase() === 'x-amz-copy-source');
  return copies || (method === 'POST' && /[?&]uploadId=/.test(path ?? ''));
}
