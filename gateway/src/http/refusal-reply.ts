import { httpStatusOf } from '@foyer/shared/errors';
import type { FastifyReply } from 'fastify';
import { GraphQLError } from 'graphql';

import { NotAdmitted } from '../admission/admission.ts';
import { publicErrorOf } from '@foyer/shared/graphql/error-masking';
import type { Needs } from '../request/context.ts';
import type { Accepted } from './protocol.ts';

interface Http {
  status?: number;
  headers?: Record<string, string>;
}

/** Codes of well-formed requests whose document or variables GraphQL refuses. */
const ofTheDocument = new Set(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']);

/** The response to a request that was not executed. */
export function refusalReply(
  { log }: Pick<Needs, 'log'>,
  requestId: string,
  accepted: Accepted | undefined,
  error: unknown,
) {
  const errors = error instanceof NotAdmitted ? error.errors : [error];
  const shown = errors.map((one) => publicErrorOf(one, { requestId, log }));
  const { status, headers } = statusOf(errors[0], shown[0]);
  const { form, named } = accepted ?? { form: 'application/json', named: false };
  // "GraphQL over HTTP": a client that names application/json gets 200 for a well-formed request with an invalid document.
  const mild = named && form === 'application/json' && ofTheDocument.has(String(shown[0]?.extensions['code']));

  return {
    send(reply: FastifyReply) {
      const type = form === 'application/graphql-response+json' ? form : 'application/json';
      return reply
        .code(mild ? 200 : status)
        .headers({ ...headers, 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' })
        .send(JSON.stringify({ errors: shown }));
    },
  };
}

function statusOf(error: unknown, shown: GraphQLError | undefined): Required<Http> {
  const http = error instanceof GraphQLError ? (error.extensions['http'] as Http | undefined) : undefined;
  const code = String(shown?.extensions['code']);
  const byCode = code in httpStatusOf ? httpStatusOf[code as keyof typeof httpStatusOf] : 400;
  const { retryAfter } = shown?.extensions ?? {};
  return {
    status: http?.status ?? byCode,
    headers: { ...http?.headers, ...(typeof retryAfter === 'number' && { 'retry-after': String(retryAfter) }) },
  };
}
