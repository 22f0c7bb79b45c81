import type { JsonSchema } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };
const error = { $ref: '#/components/responses/Error' };
const asError = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});
const ok = (contentType: string, schema: JsonSchema = text) => ({
  200: { description: 'Done.', content: { [contentType]: { schema } } },
});
/** Its own refusals by status, and those of any route. */
const refused = (byStatus: Readonly<Record<number, readonly string[]>>) => ({
  ...Object.fromEntries(
    Object.entries(byStatus).map(([status, reasons]) => [
      status,
      asError(reasons.map((each) => `\`${each}\``).join(', ')),
    ]),
  ),
  default: error,
});
const bytes = (contentType: string) => ({ 200: { description: 'The file.', content: { [contentType]: {} } } });
const query = (name: string, required = true) => ({ name, in: 'query', required, schema: text });
const header = (name: string, required = false) => ({ name, in: 'header', required, schema: text });
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });
const staff = [{ accessToken: [] }, { accessCookie: [] }];
const everyone = [{}];

type Described = Record<string, object>;
const tagged = (tag: string, described: Described): Described =>
  Object.fromEntries(Object.entries(described).map(([route, operation]) => [route, { tags: [tag], ...operation }]));

const named = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The named schemas of these routes. */
export const otherSchemas: Readonly<Record<string, JsonSchema>> = {
  Keys: { type: 'object', required: ['keys'], properties: { keys: { type: 'array', items: {} } } },
  GraphQLAnswer: { type: 'object', properties: { data: {}, errors: { type: 'array', items: { type: 'object' } } } },
};
const keys = named('Keys');

const stream = {
  summary: "The viewer's ended sessions, as server-sent events",
  description:
    'Each event is `session_revoked`, with `session_id`, `reason` and `at`. Whoever comes back with `Last-Event-ID` ' +
    'gets what was missed. Ends with the token.',
  security: staff,
  parameters: [header('last-event-id')],
  responses: {
    ...ok('text/event-stream'),
    ...refused({ 400: ['VALIDATION_FAILED'], 401: ['UNAUTHENTICATED'], 429: ['RATE_LIMITED'] }),
  },
};

const tusVersion = header('tus-resumable', true);
const upload = [inPath('path'), tusVersion];
const noContent = { 204: { description: 'Done.' }, default: error };
const tus: Described = {
  'POST /files': {
    summary: 'Creates an upload (tus 1.0)',
    description:
      'The token of POST /api/media/prepare is `uploadToken` in `Upload-Metadata`, in Base64 like the others there.',
    security: everyone,
    parameters: [tusVersion, header('upload-length', true), header('upload-metadata', true)],
    responses: {
      201: { description: 'Created.', headers: { Location: { required: true, schema: text } } },
      default: error,
    },
  },
  'OPTIONS /files': { summary: 'What the upload server can do', security: everyone, responses: noContent },
  'HEAD /files/{path}': {
    summary: 'How much of an upload has arrived',
    security: everyone,
    parameters: upload,
    responses: { 200: { description: '`Upload-Offset` says it.' }, default: { description: 'No such upload.' } },
  },
  'PATCH /files/{path}': {
    summary: 'Sends bytes of an upload',
    security: everyone,
    parameters: [...upload, header('upload-offset', true)],
    requestBody: { required: true, content: { 'application/offset+octet-stream': {} } },
    responses: noContent,
  },
  'DELETE /files/{path}': {
    summary: 'Gives an upload up',
    security: everyone,
    parameters: upload,
    responses: noContent,
  },
  'OPTIONS /files/{path}': {
    summary: 'What the upload server can do',
    security: everyone,
    parameters: [inPath('path')],
    responses: noContent,
  },
};

const asset = {
  summary: 'A stored file',
  description:
    'With ranges, ETags and dates. The bucket may stand before the key; `…/presign` answers with a signed link. A file ' +
    'of a private media item is 404 without the token of a link, which stands before both.',
  security: everyone,
  parameters: [inPath('path'), query('expires', false), query('signature', false), header('range')],
};

const proxied = (kind: string): Described =>
  Object.fromEntries(
    ['', '/{path}'].flatMap((rest) =>
      ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].map((method) => [
        `${method} /${kind}/{id}/proxy${rest}`,
        {
          summary: 'Goes through to the node',
          description: 'Method, path, query and body go to the node as they came; its answer comes back as it is.',
          security: [{}, ...staff],
          parameters: [inPath('id'), ...(rest ? [inPath('path')] : [])],
          responses: {
            400: asError('`VALIDATION_FAILED`'),
            401: asError('`UNAUTHENTICATED`'),
            403: asError('`FORBIDDEN`'),
            404: asError('`NODE_NOT_FOUND`'),
            default: { description: 'What the node answers; 502 and 504 when it does not.' },
          },
        },
      ]),
    ),
  );

const graphqlAnswer = { responses: { ...ok('application/json', named('GraphQLAnswer')), default: error } };

/** Routes without a GraphQL operation: for bytes, for operators, and GraphQL itself. */
export const otherRoutes: Described = {
  ...tagged('Sessions', { 'GET /api/v1/sessions/stream': stream, 'GET /sessions/stream': stream }),
  ...tagged('Keys', {
    'GET /.well-known/jwks.json': {
      summary: 'The keys that verify access tokens',
      security: everyone,
      responses: ok('application/json', keys),
    },
    'GET /.well-known/ticket-keys.json': {
      summary: 'The keys that verify ticket codes',
      security: everyone,
      responses: ok('application/json', keys),
    },
  }),
  ...tagged('Orders', {
    'GET /pdf/receipt': {
      summary: 'The tickets of an order, as PDF',
      description: 'Whoever knows the order number holds the ticket.',
      security: everyone,
      parameters: [query('orderNo')],
      responses: {
        ...bytes('application/pdf'),
        ...refused({
          400: ['VALIDATION_FAILED'],
          404: ['ORDER_NOT_FOUND'],
          409: ['ORDER_NOT_PAID'],
          429: ['RATE_LIMITED'],
          503: ['RECEIPTS_BUSY'],
        }),
      },
    },
    'GET /exports/orders.csv': {
      summary: 'The orders of an export, as CSV',
      description: 'By the link that `orderExport` of GraphQL gives out.',
      security: everyone,
      parameters: [query('seal')],
      responses: { ...bytes('text/csv'), ...refused({ 404: ['EXPORT_NOT_FOUND'] }) },
    },
  }),
  ...tagged('Uploads', tus),
  ...tagged('Uploads', {
    'POST /hooks/tusd': {
      summary: 'Where an upload server reports',
      description:
        "tusd's HTTP hooks, signed with HOOK_SECRET. Before you send the example, put in `X-Hook-Timestamp` and `X-Hook-Signature`.",
      security: everyone,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { type: 'object' },
            example: { Type: 'post-terminate', Event: { Upload: { ID: 'unknown' } } },
          },
        },
      },
      responses: {
        ...ok('application/json', { type: 'object' }),
        ...refused({ 400: ['VALIDATION_FAILED'], 401: ['HOOK_UNAUTHENTICATED'], 422: ['UPLOAD_NOT_STORED'] }),
      },
    },
  }),
  ...tagged('Media', {
    'GET /assets/{path}': {
      ...asset,
      responses: {
        ...bytes('*/*'),
        206: { description: 'A part.' },
        304: { description: 'As known.' },
        ...refused({ 404: ['ASSET_NOT_FOUND'], 503: ['STORE_AWAY'] }),
      },
    },
    'HEAD /assets/{path}': { ...asset, responses: { 200: { description: 'There.' }, default: { description: 'No.' } } },
  }),
  ...tagged('Nodes', { ...proxied('streamers'), ...proxied('caches'), ...proxied('load-balancers') }),
  ...tagged('GraphQL', {
    'GET /graphql': {
      summary: 'Runs a query',
      description:
        'A browser gets Apollo Sandbox, where that is on. Subscriptions: over WebSocket or server-sent events.',
      security: [{}, ...staff, { customerToken: [] }],
      parameters: [query('query', false), query('variables', false), header('apollo-require-preflight')],
      ...graphqlAnswer,
    },
    'POST /graphql': {
      summary: 'Runs a query or a mutation',
      security: [{}, ...staff, { customerToken: [] }],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { query: text, variables: { type: 'object' }, operationName: text },
            },
            example: { query: '{ me { user { name } } }' },
          },
        },
      },
      ...graphqlAnswer,
    },
  }),
  ...tagged('Operations', {
    'GET /health/live': { summary: 'The process answers', security: everyone, responses: ok('application/json', {}) },
    'GET /health/ready': {
      summary: 'It can do its work',
      security: everyone,
      responses: { ...ok('application/json', {}), 503: { description: 'It can not; the failing check says why.' } },
    },
    'GET /metrics': { summary: 'For Prometheus', security: everyone, responses: ok('text/plain') },
    'GET /openapi.json': { summary: 'This document', security: everyone, responses: ok('application/json', {}) },
  }),
};
