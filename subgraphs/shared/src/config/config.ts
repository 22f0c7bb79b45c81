import { z } from 'zod';

import '../input-words.ts';

/** A variable that can't be used. Its message is one line that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The variables of an environment. An empty variable counts as unset: that is how shells and compose files unset one. */
export const setVariablesOf = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));

/**
 * Reads configuration from environment variables.
 *
 * @throws {ConfigError} naming the first variable that can't be used, and why
 */
export function parseConfig<Config>(schema: z.ZodType<Config>, env: NodeJS.ProcessEnv): Config {
  const parsed = schema.safeParse(setVariablesOf(env));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigError(`${issue?.path.join('.') || 'configuration'}: ${issue?.message ?? 'not valid'}`);
}

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

const secondsIn: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** A duration such as `900`, `30s`, `10m`, `168h`, `7d`, or as Go writes it, `168h0m0s`; read as whole seconds. */
export const seconds = z
  .string()
  .regex(/^(\d+|(\d+(\.\d+)?(ms|s|m|h|d))+)$/, 'must be a duration such as 30s, 10m, 168h or 1h30m0s')
  .transform((text) => {
    if (/^\d+$/.test(text)) return Number(text);
    const parts = text.matchAll(PART).map(([, number, unit = 's']) => Number(number) * (secondsIn[unit] ?? 1));
    return Math.ceil(parts.reduce((sum, part) => sum + part, 0));
  });

/** A text of several lines, such as a key in PEM, as shells and env files carry it: each line break may be `\n`. */
export const lines = z.string('must be set').transform((text) => text.replaceAll(String.raw`\n`, '\n'));
