/** Fields with these names are blanked in the log. */
export const secrets = [
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
] as const;

/** What the log shows in the place of a secret. */
export const CENSOR = '[secret]';

const names = new Set<string>(secrets);

/** Deeper objects are not logged. */
const DEEPEST = 8;

/**
 * What is logged of an object: itself, or a copy in which the fields with the names of secrets are blanked, however deep they
 * are. pino's own redaction takes twenty times as long for so many names, and needs a path for each depth.
 *
 * @param except the fields of the object itself that are left alone
 */
export const withoutSecrets = (fields: object, except: ReadonlySet<string> = new Set()): Record<string, unknown> =>
  blankedFields(fields, [fields], except) as Record<string, unknown>;

function blanked(value: unknown, within: readonly object[]): unknown {
  // What writes itself (a date, a URL) has no fields in the log.
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (within.includes(value)) return '[Circular]';
  return within.length === DEEPEST ? '[Object]' : blankedFields(value, [...within, value]);
}

function blankedFields(value: object, within: readonly object[], except?: ReadonlySet<string>): object {
  let copy: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value)) {
    if (except?.has(name)) continue;
    const shown = names.has(name) ? CENSOR : blanked(field, within);
    if (shown === field) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[name] = shown;
  }
  return copy ?? value;
}
