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

/** Deeper objects are not logged, nor are more of them: an error may refer to a socket, and a socket to everything. */
const DEEPEST = 8;
const MOST = 500;

/**
 * What is logged of an object: itself, or a copy in which the fields with the names of secrets are blanked, however deep they
 * are. pino's own redaction takes ten times as long for so many names, and needs a path for each depth.
 *
 * @param except the fields of the object itself that are left alone
 */
export function withoutSecrets(fields: object, except?: ReadonlySet<string>): Record<string, unknown> {
  const within: object[] = [];
  let left = MOST;

  function shownOf(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || writesItself(value)) return value;
    if (within.includes(value)) return '[Circular]';
    if (within.length === DEEPEST || left === 0) return '[Object]';
    left -= 1;
    return copyOf(value);
  }
  function copyOf(value: object, except?: ReadonlySet<string>): object {
    within.push(value);
    let copy: Record<string, unknown> | undefined;
    for (const [name, field] of Object.entries(value)) {
      if (except?.has(name)) continue;
      const shown = names.has(name) ? CENSOR : shownOf(field);
      if (shown === field) continue;
      copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
      copy[name] = shown;
    }
    within.pop();
    return copy ?? value;
  }
  return copyOf(fields, except) as Record<string, unknown>;
}

/** As a date or a URL does. */
const writesItself = (value: object) => 'toJSON' in value && typeof value.toJSON === 'function';
