import { pino, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/** Whatever carries one of these names never reaches the log, at any of the depths we log. */
const secrets = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'accessToken',
  'refreshToken',
  'uploadToken',
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

/** Only the path of a URL: tokens and payment payloads travel in query strings. */
const pathOf = (url: string | undefined) => url?.split('?', 1)[0];

export const logOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  redact: { paths: redact, censor: '[secret]' },
  serializers: {
    req: (request: { method?: string; url?: string; id?: string }) => ({
      method: request.method,
      url: pathOf(request.url),
    }),
    res: (response: { statusCode?: number }) => ({ status: response.statusCode }),
    err: pino.stdSerializers.err,
  },
});

/** Structured lines on standard output, one JSON object each; secrets are blanked by name. */
export const openLog = (level: string): Log => pino(logOptions(level));
