import { buildSchema, type GraphQLSchema } from 'graphql';

import { sections } from '../routes.ts';
import { ofAnyRoute } from './errors.ts';
import type { JsonSchema, Schemas } from './json-schema.ts';
import { operationOf, pathOf } from './operation.ts';
import { otherRoutes, otherSchemas } from './other-routes.ts';
import { accessIn, securitySchemes } from './security.ts';

export interface Documented {
  /** The public schema, which the operations of routes are written against. */
  publicSdl: string;
  /** The schemas of the subgraphs, which say who may call a field. */
  subgraphs: readonly GraphQLSchema[];
  publicUrl: string;
}

/** A route as Fastify reports it. */
export interface Mounted {
  method: string | string[];
  url: string;
}

const about = `The REST paths that the legacy documents promise. Each runs one GraphQL operation; new clients use
[GraphQL](/graphql) itself. Every error has one shape, with a \`code\` to switch on.

To try: send **POST /api/v1/login** as it stands. Your browser then has the cookies of a demo administrator, and every
route for staff answers. Routes for customers take the \`token\` of **POST /auth/login**.`;

const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Some refusals add facts that a client needs to go on, such as the current price.',
  required: ['success', 'code', 'message', 'requestId'],
  properties: {
    success: { const: false },
    code: { type: 'string', description: 'What to switch on.', examples: ['SOLD_OUT'] },
    message: { type: 'string', description: 'One plain sentence that a person may read.' },
    requestId: { type: 'string', description: 'The same in our log.' },
    errors: {
      type: 'array',
      description: 'Of VALIDATION_FAILED: what is wrong where.',
      items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
  },
};

const componentsOf = (named: Schemas) => ({
  securitySchemes,
  schemas: Object.fromEntries(
    [['Error', errorSchema] as const, ...Object.entries(otherSchemas), ...named].toSorted(([one], [other]) =>
      one.localeCompare(other),
    ),
  ),
  responses: {
    Error: {
      description: `Another refusal. Any route may give ${ofAnyRoute.map((reason) => `\`${reason}\``).join(', ')}.`,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  },
});

/** Pages, their assets, and the pages of embedded services: they are not part of the API. */
const forPeople = [
  /^\/$/,
  /^\/(foyer\.css|favicon\.ico|copy\.js)$/,
  /^\/(login|account|docs|demo|sim)(\/|$)/,
  /^\/(auth\/magic-link|reset-password|api\/v1\/login\/sign-out)$/,
  /^\*$/,
];

/** Returns the operations of a mounted route, such as `GET /channels/{id}`. */
function operationsOf({ method, url }: Mounted): string[] {
  if (forPeople.some((pattern) => pattern.test(url))) return [];
  return [method].flat().flatMap((each) => (methods.has(each) ? [`${each} ${pathOf(url)}`] : []));
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** Returns every described operation by its method and path. Collects the named schemas. */
function describedOperations({ publicSdl, subgraphs }: Documented, named: Schemas): Map<string, object> {
  const needs = { schema: buildSchema(publicSdl), accessOf: accessIn(subgraphs), named };
  const rows = sections.flatMap(({ name, rows }) =>
    rows.map((row) => [`${String(row.method)} ${pathOf(row.url)}`, operationOf(row, name, needs)] as const),
  );
  return new Map([...rows, ...Object.entries(otherRoutes)]);
}

/**
 * Returns the OpenAPI 3.1 document of the mounted routes. It also lists mounted routes without a description under
 * `x-undescribed`, and described routes that are not mounted under `x-not-mounted`: tests expect both to be empty.
 */
export function openApiDocument(documented: Documented, mounted: readonly Mounted[]): object {
  const named: Schemas = new Map();
  const described = describedOperations(documented, named);
  const there = new Set(mounted.flatMap(operationsOf));
  const undescribed = [...there].filter((key) => !described.has(key) && !isImplied(key, there, described));
  const paths: Record<string, Record<string, object>> = {};
  for (const key of [...described.keys()].filter((known) => there.has(known)).concat(undescribed)) {
    const [method = '', path = ''] = key.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = described.get(key) ?? {
      summary: 'Not described',
      responses: { default: { description: '' } },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Foyer', version: '1.0.0', description: about },
    servers: [{ url: documented.publicUrl }],
    tags: [
      ...sections.map(({ name, description }) => ({ name, description })),
      ...['Keys', 'Uploads', 'GraphQL', 'Operations'].map((name) => ({ name })),
    ],
    paths,
    components: componentsOf(named),
    'x-undescribed': undescribed,
    'x-not-mounted': [...described.keys()].filter((key) => !there.has(key)),
  };
}

/** Mounted together with others, and always refused. */
const refusedAnyway = new Set([
  ...['PUT', 'PATCH', 'DELETE'].map((method) => `${method} /graphql`),
  ...['HEAD', 'PATCH', 'DELETE'].map((method) => `${method} /files`),
  'POST /files/{path}',
  'OPTIONS /assets/{path}', // for preflights
]);

/** Fastify adds a HEAD to each GET. */
function isImplied(key: string, there: ReadonlySet<string>, described: ReadonlyMap<string, object>): boolean {
  const get = key.replace(/^HEAD /, 'GET ');
  return refusedAnyway.has(key) || (get !== key && there.has(get) && described.has(get));
}
