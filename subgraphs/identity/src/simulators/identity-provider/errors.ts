/** gRPC's codes as the provider uses them: number, Connect's name, HTTP status. */
const codes = {
  unknown: [2, 500],
  invalid_argument: [3, 400],
  not_found: [5, 404],
  already_exists: [6, 409],
  permission_denied: [7, 403],
  failed_precondition: [9, 400],
  internal: [13, 500],
  unauthenticated: [16, 401],
} as const;

interface Detail {
  type: string;
  value: Record<string, unknown>;
}

/** An error that the provider answers with. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: keyof typeof codes;
  readonly details: Detail[];

  /** @param id stands in brackets at the end of the message; validation errors have none */
  constructor(code: keyof typeof codes, id: string | null, text: string, detail?: Detail) {
    super(id ? `${text} (${id})` : text);
    this.code = code;
    this.details = id ? [detail ?? { type: 'zitadel.v1.ErrorDetail', value: { id, message: text } }] : [];
  }

  get status(): number {
    return codes[this.code][1];
  }

  body(family: 'connect' | 'rest'): object {
    if (family === 'connect') {
      const details = this.details.map(({ type, value }) => ({ type, value: encode(value), debug: value }));
      return { code: this.code, message: this.message, ...(details.length > 0 && { details }) };
    }
    const details = this.details.map(({ type, value }) => ({ '@type': `type.googleapis.com/${type}`, ...value }));
    return { code: codes[this.code][0], message: this.message, details };
  }
}

/** The detail as protobuf: its fields are short, and numbered in this order. */
function encode(fields: Record<string, unknown>): string {
  const bytes = Object.values(fields).flatMap((value, index) => {
    const field = index + 1;
    if (typeof value === 'number') return [field << 3, value];
    const text = [...Buffer.from(String(value))];
    return [(field << 3) | 2, text.length, ...text];
  });
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

export const invalid = (text: string) => new ProviderError('invalid_argument', null, text);

export const userNotFound = () => new ProviderError('not_found', 'QUERY-Dfbg2', 'User could not be found');

export const nameTaken = (what: string) => new ProviderError('already_exists', 'V3-DKcYh', `${what} already exists`);

export const wrongPassword = (failedAttempts: number) =>
  new ProviderError('invalid_argument', 'COMMAND-3M0fs', 'Password is invalid', {
    type: 'zitadel.v1.CredentialsCheckError',
    value: { id: 'COMMAND-3M0fs', message: 'Password is invalid', failedAttempts },
  });
