import proxyAddr from '@fastify/proxy-addr';
import { z } from 'zod';

import '../input-words.ts';

/** Variables that can't be used. The message names each, in a line of its own if there are several. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One line for each variable, which begins with its name. */
  readonly problems: readonly string[];

  constructor(...problems: [string, ...string[]]) {
    super(
      problems.length === 1 ? problems[0] : `${problems.length} variables to set right:\n  ${problems.join('\n  ')}`,
    );
    this.problems = problems;
  }
}

/** The variables of an environment. An empty variable counts as unset: that is how shells and compose files unset one. */
export const setVariablesOf = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));

/**
 * Reads configuration from environment variables.
 *
 * @throws {ConfigError} naming every variable that can't be used, and why
 */
export function parseConfig<Config>(schema: z.ZodType<Config>, env: NodeJS.ProcessEnv): Config {
  const parsed = schema.safeParse(setVariablesOf(env));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'configuration'}: ${message}`);
  throw errorOf(problems);
}

/**
 * Lets every part of a process read its configuration, so that all that is missing is named at once.
 *
 * @throws {ConfigError}
 */
export function readAll(readers: readonly (() => unknown)[]): void {
  const problems = readers.flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  });
  if (problems.length > 0) throw errorOf(problems);
}

/** Names each variable once, however many parts read it. */
function errorOf(problems: readonly string[]): ConfigError {
  const nameOf = (problem: string) => problem.split(/[.:]/, 1)[0];
  const [first = 'configuration: not valid', ...others] = problems.filter(
    (problem, index) => problems.findIndex((other) => nameOf(other) === nameOf(problem)) === index,
  );
  return new ConfigError(first, ...others);
}

/** For rules about several variables: they are checked although another variable is missing, too. */
export const always = { when: () => true };

/** A boolean environment variable, in any of the usual words. */
export const flag = z.stringbool();

/** Items separated by commas; none when unset. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );

const isProxy = (text: string) => {
  try {
    return Boolean(proxyAddr.compile([text]));
  } catch {
    return false;
  }
};

/** A proxy that is trusted to name the client's address. */
export const trustedProxy = z
  .string()
  .refine(
    isProxy,
    'must be an address such as 10.0.0.7, a network such as 10.0.0.0/8, loopback, linklocal or uniquelocal',
  );

/** `TRUSTED_PROXIES`. */
export const trustedProxies = list.pipe(z.array(trustedProxy));

const isOrigin = (text: string) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** One exact origin. */
export const origin = z.string().refine(isOrigin, 'must be an origin such as https://content.example');

/** Exact origins; a pattern would let foreign pages act with the sessions of their visitors. */
export const origins = list.pipe(
  z.array(
    z
      .string()
      .refine((origin) => !origin.includes('*'), {
        message:
          'takes no wildcards, as its pages act with sessions of people: name each origin, such as https://shop.example',
        abort: true,
      })
      .refine(isOrigin, {
        message: 'must be origins such as https://shop.example, separated by commas',
      }),
  ),
);

/**
 * A URL to call. Without its scheme, `foyer.example:8443` would be read as a URL of the scheme `foyer.example`, which has no
 * origin.
 */
export const webUrl = z.url({ protocol: /^https?$/, message: 'must be a URL such as https://foyer.example' });

/** The address of a server. */
export const webAddress = webUrl.refine(
  (url) => !/[?#]/.test(url),
  'must have neither ? nor #, as paths are appended to it',
);

/** The name of a host or domain. */
export const domainName = z
  .string()
  .regex(/^\.?(?:[\p{L}\d_-]+\.)*[\p{L}\d_-]+$/u, 'must be a domain such as foyer.example');

/** Domains, separated by commas or blanks; none when unset. */
export const domainNames = z
  .string()
  .default('')
  .transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  )
  .pipe(z.array(domainName));

const MAILBOX = /^(?:[^<>]*<\s*[^\s<>@,;]+@[^\s<>@,;]+\s*>|[^\s<>@,;]+@[^\s<>@,;]+)$/;

/** The sender of mails. */
export const mailbox = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => MAILBOX.test(text), 'must be an address such as Foyer <no-reply@foyer.example>');

/** `DEMO_PASSWORD`, by the rules that Zitadel has by default. */
export const demoPassword = z
  .string()
  .regex(
    /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\p{L}\p{N}\s]).{8,72}$/u,
    'must have 8 to 72 characters, among them a capital and a small letter, a digit and another sign',
  )
  .default('Foyer-demo-1');

/** The variables that name allowed origins. */
export const originVariables = { ALLOWED_ORIGINS: origins, AUTH_FRONTEND_URL: z.url().optional() };

/**
 * The allowed origins besides that of `PUBLIC_URL`: the configured ones, and that of links in mails (none for an app's own
 * URL scheme).
 */
export const allowedOriginsIn = (env: z.output<z.ZodObject<typeof originVariables>>): string[] => {
  const linked = env.AUTH_FRONTEND_URL === undefined ? [] : [new URL(env.AUTH_FRONTEND_URL).origin];
  return [...new Set([...env.ALLOWED_ORIGINS, ...linked.filter(isOrigin)])];
};

/** The URL of Redis; error messages never contain it, because it may hold a password. */
export const redisUrl = z.url({ protocol: /^rediss?$/, message: 'must be a redis:// or rediss:// URL' });

const secondsIn = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 } as const;
type Unit = keyof typeof secondsIn;

/** The longest time: dates of some thousand years can't be written. */
const LONGEST_DAYS = 3_650;
const LONGEST_SECONDS = LONGEST_DAYS * secondsIn.d;

/** A whole number of milliseconds up to a day: Node's timers wait one millisecond instead of 25 days. */
export const milliseconds = (least = 1) =>
  z.coerce
    .number()
    .int()
    .min(least)
    .max(secondsIn.d * 1_000);

/** A number of seconds, minutes or hours, up to ten years, after which something ends. */
export const lifetime = (unit: Unit) =>
  z.coerce
    .number()
    .positive()
    .max(LONGEST_SECONDS / secondsIn[unit]);

/** `SHUTDOWN_DELAY_MS`: how long a process goes on taking requests after it was told to stop. */
export const shutdownDelay = z.coerce.number().int().min(0).max(60_000).default(0);

const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** A duration such as `900`, `30s`, `10m`, `168h`, `7d`, or as Go writes it, `168h0m0s`; read as whole seconds, at least one. */
export const seconds = z
  .string()
  .regex(/^(\d+|(\d+(\.\d+)?(ms|s|m|h|d))+)$/, 'must be a duration such as 30s, 10m, 168h or 1h30m0s')
  .transform((text) => {
    if (/^\d+$/.test(text)) return Number(text);
    const parts = text.matchAll(PART).map(([, number, unit]) => Number(number) * secondsIn[unit as Unit]);
    return Math.ceil(parts.reduce((sum, part) => sum + part, 0));
  })
  .refine((read) => read > 0 && read <= LONGEST_SECONDS, `must be longer than 0s, and at most ${LONGEST_DAYS}d`);

/** A text of several lines, such as a key in PEM, as shells and env files carry it: each line break may be `\n`. */
export const lines = z.string('must be set').transform((text) => text.replaceAll(String.raw`\n`, '\n'));
