import { AsyncLocalStorage } from 'node:async_hooks';

import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, type Logger, type LoggerOptions } from 'pino';

import { sourceStack } from './source-stack.ts';
import { CENSOR, secrets, withoutSecrets } from './without-secrets.ts';

export type Log = Logger;

/** What a log line is about: by these fields a reader finds all lines of a request or job. */
export interface About {
  requestId?: string | undefined;
  job?: string;
  jobId?: string;
}

const about = new AsyncLocalStorage<About>();

/** Runs a function, and adds these fields to every log line that is written within it, however deep. */
export const loggingAbout = <Result>(what: About, run: () => Result): Result => about.run(what, run);

/** The id of the request that caused the current work; undefined for work without a request. */
export const currentRequestId = (): string | undefined => about.getStore()?.requestId;

/** Evaluated whenever a line is written. The names are OpenTelemetry's, for logs that are not its own records. */
function aboutThisLine() {
  const span = trace.getActiveSpan()?.spanContext();
  return {
    ...about.getStore(),
    ...(span && isSpanContextValid(span) && { trace_id: span.traceId, span_id: span.spanId }),
  };
}

/**
 * The path of a URL, as it may be logged: without the query string, which may hold tokens and payment payloads, and without
 * the id of an upload (tus), which entitles its holder to write to the upload, and the token of a link to private media.
 */
export const loggedPath = (url: string) =>
  (url.split('?', 1)[0] ?? '')
    .replace(/^(\/+files\/).+$/, '$1[secret]')
    .replace(/^(\/+assets\/)(?:~|%7e)[^/]*/i, '$1~[secret]');

function describedError(error: Error) {
  const described = pino.stdSerializers.err(error);
  if (typeof described.stack === 'string') described.stack = sourceStack(described.stack);
  return withoutSecrets(described);
}

const serializers = {
  req: (request: { method?: string; url?: string; id?: string }) => ({
    method: request.method,
    url: request.url && loggedPath(request.url),
  }),
  res: (response: { statusCode?: number }) => ({ status: response.statusCode }),
  err: describedError,
};
/** These write what they show themselves; the request and the response as such are large. */
const serialized = new Set(Object.keys(serializers));

export const logOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  formatters: { log: (fields) => withoutSecrets(fields, serialized) },
  // The fields of child loggers.
  redact: { paths: secrets.map((name) => `["${name}"]`), censor: CENSOR },
  mixin: aboutThisLine,
  serializers,
});

/** How much of the log waits while it can't be written. */
const WAITING_BYTES = 1024 * 1024;

/**
 * A destination of the log. While a line can't be written, because the disk is full or the terminal was closed, the process goes on,
 * and can end: lines wait for the next one, and those that find no room are lost.
 */
function destination(dest: 1 | 2) {
  const stream = pino.destination({ dest, sync: true, maxLength: WAITING_BYTES });
  stream.on('error', () => undefined);
  stream.on('drop', () => void stream.write('')); // without room nothing else would try again

  return stream;
}

/** Opens the log: JSON objects on standard output, one a line. Secrets are blanked by their names. */
export const openLog = (level: string): Log => pino(logOptions(level), destination(1));

/** The same on standard error, for commands whose result is on standard output. */
export const openErrorLog = (level: string): Log => pino(logOptions(level), destination(2));
