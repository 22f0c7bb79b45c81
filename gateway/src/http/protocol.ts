import type { IncomingHttpHeaders } from 'node:http';

/** The media types of a response. */
type Form = 'application/json' | 'application/graphql-response+json' | 'text/event-stream' | 'text/html';

const forms: readonly Form[] = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'text/html',
];

/** The media type that the client accepts; `named` is false for a wildcard or no `Accept` header. */
export interface Accepted {
  form: Form;
  named: boolean;
}

/**
 * Chooses the media type of the response (GraphQL over HTTP, "Media types"); undefined when the client accepts none.
 */
export function accepted(accept: string | undefined): Accepted | undefined {
  if (!accept || accept === '*/*') return { form: 'application/json', named: false };
  const only = forms.find((form) => form === accept);
  if (only) return { form: only, named: true };
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, weight: weight === undefined ? 1 : Number(weight) };
  });
  for (const { type, weight } of ranges.toSorted((one, other) => other.weight - one.weight)) {
    if (!(weight > 0)) continue;
    const form = forms.find((known) => known === type);
    if (form) return { form, named: true };
    if (type === '*/*' || type === 'application/*') return { form: 'application/json', named: false };
  }
  return undefined;
}

/**
 * Whether a browser sends a preflight before a foreign page may send this request: forms and images can set neither these
 * headers nor that content type.
 */
export const isPreflighted = (headers: IncomingHttpHeaders): boolean =>
  /^application\/json\b/.test(headers['content-type'] ?? '') ||
  headers['x-apollo-operation-name'] !== undefined ||
  headers['apollo-require-preflight'] !== undefined ||
  headers['x-graphql-event-stream-token'] !== undefined;
