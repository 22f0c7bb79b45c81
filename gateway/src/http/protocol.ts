import type { IncomingHttpHeaders } from 'node:http';

/** The forms in which an answer may leave. */
export type Form = 'application/json' | 'application/graphql-response+json' | 'text/event-stream' | 'text/html';

const forms: readonly Form[] = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'text/html',
];

/** What the client named in `Accept`; `named` is false where it takes whatever comes. */
export interface Accepted {
  form: Form;
  named: boolean;
}

/**
 * Chooses the form of the answer (GraphQL over HTTP, "Media types"); undefined when there is none that
 * the client would take.
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
 * Whether a browser would have asked first before it let a foreign page send this: forms and images
 * can't set these headers, nor that content type.
 */
export const isPreflighted = (headers: IncomingHttpHeaders): boolean =>
  /^application\/json\b/.test(headers['content-type'] ?? '') ||
  headers['x-apollo-operation-name'] !== undefined ||
  headers['apollo-require-preflight'] !== undefined ||
  headers['x-graphql-event-stream-token'] !== undefined;
