import { AsyncLocalStorage } from 'node:async_hooks';

import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, type Logger, type LoggerOptions } from 'pino';

import { sourceStack } from './source-stack.ts';

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

/** Fields with these names are blanked in the log, at each depth that we log. */
const secrets = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'accessToken',
  'refreshToken',
  'uploadToken',
  'uploadId',
  'access_token',
  'refresh_token',
  'authorization',
  'cookie',
  'set-cookie',
  'x-internal-token',
  'checksum',
  'payload',
  'secret',
];

const redact = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

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
  return described;
}

export const logOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  redact: { paths: redact, censor: '[secret]' },
  mixin: aboutThisLine,
  serializers: {
    req: (request: { method?: string; url?: string; id?: string }) => ({
      method: request.method,
      url: request.url && loggedPath(request.url),
    }),
    res: (response: { statusCode?: number }) => ({ status: response.statusCode }),
    err: describedError,
  },
});

/** Opens the log: JSON objects on standard output, one a line. Secrets are blanked by their names. */
export const openLog = (level: string): Log => pino(logOptions(level));

/** The same on standard error, for commands whose result is on standard output. */
export const openErrorLog = (level: string): Log => pino(logOptions(level), pino.destination({ dest: 2, sync: true }));
