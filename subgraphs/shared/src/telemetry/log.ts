import { AsyncLocalStorage } from 'node:async_hooks';

import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, type Logger, type LoggerOptions } from 'pino';

import { sourceStack } from './source-stack.ts';

export type Log = Logger;

/** What a line is about, besides what it says: whoever reads the log finds all lines of a request or job by it. */
export interface About {
  requestId?: string | undefined;
  job?: string;
  jobId?: string;
}

const about = new AsyncLocalStorage<About>();

/** Runs something whose log lines all say what they are about, however deep they are written. */
export const loggingAbout = <Result>(what: About, run: () => Result): Result => about.run(what, run);

/** The request that asked for what is being done here; undefined when nobody did. */
export const currentRequestId = (): string | undefined => about.getStore()?.requestId;

/** Only asked when a line is written. Names as OpenTelemetry's own for logs that are not its records. */
function aboutThisLine() {
  const span = trace.getActiveSpan()?.spanContext();
  return {
    ...about.getStore(),
    ...(span && isSpanContextValid(span) && { trace_id: span.traceId, span_id: span.spanId }),
  };
}

/** Whatever carries one of these names never reaches the log, at any of the depths we log. */
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
 * Only the path of a URL: tokens and payment payloads travel in query strings. Nor the id of an upload (tus), which is the
 * right to write to it.
 */
export const loggedPath = (url: string) => (url.split('?', 1)[0] ?? '').replace(/^(\/+files\/).+$/, '$1[secret]');

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

/** Structured lines on standard output, one JSON object each; secrets are blanked by name. */
export const openLog = (level: string): Log => pino(logOptions(level));
