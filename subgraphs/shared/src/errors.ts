import { GraphQLError } from 'graphql';

/**
 * Every kind of refusal, and the HTTP status REST answers it with.
 * GraphQL shows the key as `extensions.code`. This is the only such table.
 */
export const httpStatusOf = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  UNAUTHORIZED_FIELD_OR_TYPE: 403,
  NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
  INTERNAL_SERVER_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  BAD_GATEWAY: 502,
  UPSTREAM_UNAVAILABLE: 503,
  UPSTREAM_TIMEOUT: 504,
  INSUFFICIENT_STORAGE: 507,
} as const;

export type ErrorCode = keyof typeof httpStatusOf;

interface Extras {
  /** The cause, for our log; the client never sees it. */
  cause?: unknown;
  /** Facts for the client; never secrets. */
  [fact: string]: unknown;
}

/**
 * A refusal that the caller is meant to understand. Whatever else is thrown is a
 * bug: the server masks it, and it reaches the client as `INTERNAL_SERVER_ERROR`.
 */
export class Refusal extends GraphQLError {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly reason: string;

  /**
   * @param code what kind of refusal: decides the HTTP status
   * @param reason which rule refused, in SCREAMING_SNAKE_CASE: what a client switches on
   * @param message one plain sentence that may be shown to a person
   */
  constructor(code: ErrorCode, reason: string, message: string, { cause, ...facts }: Extras = {}) {
    super(message, { extensions: { ...facts, code, reason } });
    this.code = code;
    this.reason = reason;
    this.cause = cause;
  }
}

/** One error in an input: its place and its message. */
export interface InputError {
  path: string;
  message: string;
}

/** The refusal of an input that can't be read; `errors` lists what is wrong, place by place. */
export const badInput = (errors: readonly InputError[]) =>
  new Refusal('BAD_USER_INPUT', 'VALIDATION_FAILED', sentence(errors[0]), { errors });

/** Puts the name before a message that continues it ("must be text"). */
function sentence({ path, message }: InputError = { path: '', message: 'is not valid' }): string {
  return /^[a-z]/.test(message) ? `${path || 'The input'} ${message}.` : message;
}
