import { httpStatusOf, type ErrorCode } from '@foyer/shared/errors';
import { Kind, type DocumentNode, type GraphQLField, type GraphQLSchema } from 'graphql';

import type { DocumentedRow, Route } from '../route.ts';
import { notFoundBy, reasonsOf } from './errors.ts';
import { toPutIn } from './examples.ts';
import { schemaOf, type Schemas } from './json-schema.ts';
import { requestOf } from './request.ts';
import { securityOf, whoMay, type Access, type AccessOf } from './security.ts';

export interface Needs {
  /** The public schema. */
  schema: GraphQLSchema;
  accessOf: AccessOf;
  /** Collects the named schemas. */
  named: Schemas;
}

/** `/channels/:id` is `/channels/{id}` in OpenAPI. */
export const pathOf = (url: string) => url.replaceAll(/:(\w+)/g, '{$1}').replaceAll('*', '{path}');

/** Describes a route as an OpenAPI operation. */
export function operationOf(
  { method, url, token, row }: Route,
  tag: string,
  { schema, accessOf, named }: Needs,
): object {
  const route = `${String(method)} ${pathOf(url)}`;
  const head = { tags: [tag], operationId: route.replaceAll(/[^A-Za-z]+/g, '_').replaceAll(/^_|_$/g, '') };
  if (!row) return { ...head, ...inNameOnly, ...idsIn(route) };

  const field = rootFieldOf(row.document, schema);
  const access: Access = row.admit ? { to: 'INTERNAL' } : accessOf(field.name);
  const [summary, ...rest] = sentencesOf(field.description ?? '');
  const successor = row.successor?.({ params: { orgId: '{orgId}', workspaceId: '{workspaceId}' } }, '{orgId}');
  const told = [...rest, whoMay(access, token), ...(successor ? [`Superseded by \`${successor}\`.`] : [])];
  if (toPutIn[route]) told.push(`Before you send the example, put in ${toPutIn[route]}.`);
  const takesForm = row.form === true;
  const request = requestOf(row, route, { takesForm, named });
  const asks = Object.keys(request).length > 0;
  const usesToken = token.startsWith('needed') || row.asksForBearer !== undefined;
  const reasons = reasonsFor({ field: field.name, access, asks, usesToken, takesForm });
  return {
    ...head,
    summary: summary?.replace(/\.$/, ''),
    description: told.join(' '),
    ...(successor && { deprecated: true }),
    security: securityOf(access, token),
    ...request,
    responses: {
      ...answers(row, named),
      ...(row.answersAlike || (row.refusalPage && !takesForm) ? {} : refusals(reasons, takesForm)),
    },
  };
}

function idsIn(route: string): object {
  const ids = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const parameters = ids.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return parameters.length > 0 ? { parameters } : {};
}

/** Describes a stub. */
const inNameOnly = {
  summary: 'Exists in name only, as documented',
  security: securityOf({ to: 'INTERNAL' }, 'needed'),
  responses: refusals(
    new Map([
      ['NOT_IMPLEMENTED', ['NOT_IMPLEMENTED']],
      ['UNAUTHENTICATED', ['INTERNAL_TOKEN_INVALID']],
      ['FORBIDDEN', ['BROWSER_REFUSED']],
    ]),
    false,
  ),
};

/** Returns the root field of an operation. */
export function rootFieldOf({ definitions }: DocumentNode, schema: GraphQLSchema): GraphQLField<unknown, unknown> {
  const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [selected] = operation?.selectionSet.selections ?? [];
  const root = operation && schema.getRootType(operation.operation);
  const field = selected?.kind === Kind.FIELD ? root?.getFields()[selected.name.value] : undefined;
  if (!field) throw new Error('a row has a document without a root field');
  return field;
}

const sentencesOf = (text: string) => text.replaceAll(/\s+/g, ' ').split(/(?<=\.) (?=[A-Z])/);

interface Refusing {
  field: string;
  access: Access;
  asks: boolean;
  /** Whether it refuses a token that is missing or invalid. */
  usesToken: boolean;
  takesForm: boolean;
}

/** Returns the documented refusals of a route by their kind. */
function reasonsFor({ field, access, asks, usesToken, takesForm }: Refusing): Map<ErrorCode, string[]> {
  const reasons = new Map<ErrorCode, string[]>();
  const add = (kind: ErrorCode, ...more: readonly string[]) =>
    void reasons.set(kind, [...new Set([...(reasons.get(kind) ?? []), ...more])]);
  if (asks) add('BAD_USER_INPUT', 'VALIDATION_FAILED');
  if (takesForm) add('UNSUPPORTED_MEDIA_TYPE', 'FORM_EXPECTED');
  if (access.to === 'INTERNAL') {
    add('UNAUTHENTICATED', 'INTERNAL_TOKEN_INVALID');
    add('FORBIDDEN', 'BROWSER_REFUSED');
    add('UPSTREAM_UNAVAILABLE', 'INTERNAL_UNAVAILABLE');
  } else if (access.to !== 'EVERYONE') {
    add('UNAUTHENTICATED', 'UNAUTHENTICATED');
    add('FORBIDDEN', 'FORBIDDEN');
  } else if (usesToken) {
    add('UNAUTHENTICATED', 'UNAUTHENTICATED');
  }
  for (const [reason, fields] of Object.entries(notFoundBy)) if (fields.includes(field)) add('NOT_FOUND', reason);
  for (const [kind, more] of Object.entries(reasonsOf[field] ?? {})) add(kind as ErrorCode, ...more);
  return reasons;
}

function answers({ answer, otherAnswer, status = 200 }: DocumentedRow, named: Schemas): Record<string, object> {
  const content = {
    ...(answer && { 'application/json': { schema: schemaOf(answer, named) } }),
    ...(otherAnswer && otherAnswer !== 'redirect' && { [otherAnswer]: { schema: { type: 'string' } } }),
  };
  return {
    ...(Object.keys(content).length > 0 && { [status]: { description: 'Done.', content } }),
    ...(otherAnswer === 'redirect' && {
      302: { description: 'Onwards.', headers: { Location: { required: true, schema: { type: 'string' } } } },
    }),
  };
}

function refusals(reasons: ReadonlyMap<ErrorCode, readonly string[]>, asPage: boolean): Record<string, object> {
  const content = asPage
    ? { 'text/html': { schema: { type: 'string' } } }
    : { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const said = [...reasons].map(([kind, codes]) => [
    httpStatusOf[kind],
    { description: codes.map((code) => `\`${code}\``).join(', '), content },
  ]);
  return { ...Object.fromEntries(said), default: { $ref: '#/components/responses/Error' } } as Record<string, object>;
}
