import type { SetCookie } from '@foyer/shared/http/request';
import type { GraphQLFormattedError } from 'graphql';

import type { ReceivedHeaders } from '../header-rules/response-headers.ts';
import { NoAnswer } from './faults.ts';

interface Raw {
  data?: Record<string, unknown> | null;
  errors?: readonly GraphQLFormattedError[] | null;
  /** Of Foyer's own subgraphs: the cookies that a use case sets. */
  extensions?: { cookies?: readonly SetCookie[] };
}

/** The response to equal queries: each caller gets a copy of the data, because plans merge into it. */
export class Reply {
  readonly #text: string;
  #first: Raw | undefined;
  #headers: ReceivedHeaders;

  /** @throws {NoAnswer} when it is not GraphQL */
  constructor(text: string, headers: ReceivedHeaders) {
    this.#text = text;
    this.#first = read(text);
    this.#headers = headers;
  }

  /** Only the first caller gets the cookies: a session that a subgraph opens belongs to one client. */
  takeHeaders(): ReceivedHeaders {
    const headers = this.#headers;
    this.#headers = { ...headers, 'set-cookie': undefined };
    return headers;
  }

  take(): Raw {
    const first = this.#first;
    this.#first = undefined;
    return first ?? read(this.#text);
  }
}

function read(text: string): Raw {
  const answer = parse(text);
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw new NoAnswer('no GraphQL answer');
  const { data, errors: told, extensions } = answer as Raw;
  const errors = told ?? undefined; // some write null where there are none
  if (errors !== undefined && !Array.isArray(errors)) throw new NoAnswer('errors that are no list');
  // A proxy or another service has answered in JSON: without this, a field would be null for no reason.
  if (data === undefined && !errors?.length) throw new NoAnswer('neither data nor errors');
  return { ...(data !== undefined && { data }), ...(errors?.length && { errors }), ...(extensions && { extensions }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoAnswer('no JSON');
  }
}
