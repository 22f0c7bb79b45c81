import { marked } from 'marked';

import { limitsOf, schemaText, type Schema } from './schema-text.ts';

/** The parts of an OpenAPI document that the pages use. */
export interface OpenApi {
  info: { description: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, { description: string }>; schemas: Record<string, Schema> };
}

interface Operation {
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, Media> }>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
  description?: string;
  example?: unknown;
}

interface Media {
  schema?: Schema;
  example?: unknown;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** The bodies that the page can send: all but bytes. */
const sendable: readonly (string | undefined)[] = [undefined, JSON_TYPE, FORM_TYPE];

const html = (text: string) => marked.parseInline(text, { async: false });
const slugOf = (name: string) => name.toLowerCase().replaceAll(/\W+/g, '-');

/** The first page: an overview, and how to sign in. */
export function overviewOf(document: OpenApi) {
  return {
    about: marked.parse(document.info.description, { async: false }),
    schemes: Object.entries(document.components.securitySchemes).map(([name, { description }]) => ({
      name,
      description: html(description),
    })),
    error: schemaText(document.components.schemas['Error'] ?? {}),
    sections: sectionsOf(document),
  };
}

/** The pages of the routes, by section. */
export function sectionsOf({ tags, paths, servers }: OpenApi) {
  const [server] = servers;
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    together(operations).map(({ methods, operation }) => ({ path, methods, operation })),
  );
  return tags.map(({ name, description = '' }) => ({
    name,
    slug: slugOf(name),
    description: html(description),
    routes: routes
      .filter(({ operation }) => operation.tags[0] === name)
      .map((route) => routeOf(route, server?.url ?? '')),
  }));
}

/** Merges methods of a path with the same description, as of the proxies to nodes. */
function together(operations: Record<string, Operation>) {
  const bySaying = Map.groupBy(Object.entries(operations), ([, operation]) => JSON.stringify(operation));
  return [...bySaying.values()].flatMap((same) => {
    const [[, operation] = []] = same;
    return operation ? [{ operation, methods: same.map(([method]) => method.toUpperCase()) }] : [];
  });
}

interface Route {
  path: string;
  methods: string[];
  operation: Operation;
}

function routeOf({ path, methods, operation }: Route, server: string) {
  const {
    summary,
    description = '',
    deprecated = false,
    security,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const [contentType, media = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const shown = parameters.map(parameterOf);
  const takes = security.map((each) => Object.keys(each)[0] ?? 'nothing');
  return {
    id: slugOf(`${methods.join('-')}${path.replaceAll(/[{}]/g, '')}`),
    methods,
    path,
    summary,
    description: html(description),
    deprecated,
    takes,
    parameters: shown,
    body: contentType && {
      contentType,
      type: media.schema ? schemaText(media.schema) : 'bytes',
      example: JSON.stringify(media.example ?? null, null, 2),
    },
    answers: Object.entries(responses).flatMap((answer) => answerOf(...answer)),
    // A browser can't act as a service, and this page can't send bytes.
    canSend: sendable.includes(contentType) && !takes.every((scheme) => scheme === 'internalToken'),
    curl: curlOf(
      { method: methods[0] ?? '', path, parameters: shown, takes, contentType, example: media.example },
      server,
    ),
  };
}

function parameterOf({ name, in: place, required, schema, description = '', example }: Parameter) {
  const value = example ?? schema.default ?? '';
  const limits = limitsOf(schema);
  return {
    name,
    place,
    required,
    type: schemaText(schema),
    about: html([description, limits].filter(Boolean).join(' – ')),
    value: typeof value === 'string' ? value : JSON.stringify(value),
  };
}

/** Leaves out `default`: the shape of all refusals is on the first page. */
function answerOf(status: string, { description = '', content = {} }: Operation['responses'][string]) {
  if (status === 'default' && !description) return [];
  const [contentType, media] = Object.entries(content)[0] ?? [];
  const refused = media?.schema?.$ref !== undefined;
  const type = !refused && media?.schema ? schemaText(media.schema) : '';
  return [{ status, description: html(description), contentType: refused ? '' : (contentType ?? ''), type }];
}

interface Call {
  method: string;
  path: string;
  parameters: ReturnType<typeof parameterOf>[];
  takes: string[];
  contentType: string | undefined;
  example: unknown;
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The call as a shell command, after a login. */
function curlOf({ method, path, parameters, takes, contentType, example }: Call, server: string): string {
  const given = (place: Parameter['in']) =>
    parameters.filter((each) => each.place === place && (each.required || (place === 'header' && each.value !== '')));
  const address = given('path').reduce((url, { name, value }) => (value ? url.replace(`{${name}}`, value) : url), path);
  const search = given('query').map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${server}${address}${search.length > 0 ? '?' : ''}${search.join('&')}`)}`,
    ...loggedIn(takes),
    ...given('header').map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(contentType === undefined
      ? []
      : [`-H ${quoted(`content-type: ${contentType}`)}`, bodyOf(contentType, example)]),
  ].join(' \\\n  ');
}

function bodyOf(contentType: string, example: unknown): string {
  if (contentType === JSON_TYPE) return `-d ${quoted(JSON.stringify(example))}`;
  if (contentType === FORM_TYPE) return `-d ${quoted(String(new URLSearchParams(example as Record<string, string>)))}`;
  return '--data-binary @file';
}

function loggedIn(takes: readonly string[]): string[] {
  if (takes.includes('nothing')) return [];
  if (takes.includes('accessCookie')) return ['-b cookies.txt'];
  if (takes.includes('internalToken')) return ['-H "x-internal-token: $INTERNAL_PSK"'];
  return ['-H "authorization: Bearer $TOKEN"'];
}
