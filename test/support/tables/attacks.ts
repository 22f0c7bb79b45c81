import { WebSocket } from 'ws';

import type { Hostile } from './hostile.ts';
import { requestBytes, sendBytes, type WireAnswer } from '../wire.ts';

/** What was sent, and the answer: an HTTP status, or the close code of a WebSocket. */
export interface Attacked {
  sent: string;
  status: number;
  text: string;
}

type Headers = [string, string | Buffer][];

const attacked = async (url: string, bytes: Buffer): Promise<Attacked> => {
  const { status, text }: WireAnswer = await sendBytes(url, bytes);
  return { sent: bytes.toString('latin1').slice(0, 3_000), status, text: text.slice(0, 3_000) };
};

const FORWARDED = ['authorization', 'cookie', 'x-organization-id', 'x-workspace-id', 'accept-language', 'user-agent'];
const OTHERS = [
  'traceparent',
  'tracestate',
  'baggage',
  'x-request-id',
  'x-forwarded-for',
  'origin',
  'referer',
  'range',
  'if-none-match',
  'if-modified-since',
  'expect',
  'content-encoding',
  'service-platform',
  'last-event-id',
  'x-internal-token',
  'sec-fetch-site',
];

const someHeaders = (draw: Hostile): Headers =>
  Array.from({ length: Math.max(0, draw.below(5) - 2) }, () => [
    draw.oneOf([...FORWARDED, ...OTHERS]),
    draw.headerBytes(),
  ]);

const ACCEPTED = ['*/*', 'application/json', 'application/graphql-response+json', 'text/event-stream', 'text/html', ''];

/** A valid request. */
export interface Call {
  query: string;
  variables?: object;
}

/** The body of a request with a fault. */
function graphqlBody(draw: Hostile, calls: readonly Call[]): string {
  const call = draw.oneOf(calls);
  if (draw.below(3) > 0) {
    const { query, variables = {} } = call;
    return `{"query":${JSON.stringify(query)},"variables":${draw.spoil(variables)}}`;
  }
  const parts: Record<string, string> = {
    query: JSON.stringify(call.query),
    variables: JSON.stringify(call.variables ?? {}),
  };
  const names = ['query', 'variables', 'operationName', 'extensions', 'documentId', 'id', '__proto__'];
  parts[draw.oneOf(names)] = draw.json();
  const text = Object.entries(parts).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return draw.below(8) === 0 ? draw.json() : `{${text.join(',')}}`;
}

/** GraphQL over HTTP and as an event stream. */
export function attackGraphql(
  url: string,
  draw: Hostile,
  queries: readonly Call[],
  own: Headers = [],
): Promise<Attacked> {
  const headers: Headers = [
    ['accept', draw.oneOf(ACCEPTED)],
    ['apollo-require-preflight', '1'],
    ...(draw.below(3) > 0 ? own : []),
    ...someHeaders(draw),
  ];
  const { pathname } = new URL(url);
  if (draw.below(4) === 0) {
    const query = [
      `query=${encodeURIComponent(draw.oneOf(queries).query)}`,
      `variables=${draw.piece()}`,
      `extensions=${encodeURIComponent(draw.json().slice(0, 2_000).toWellFormed())}`,
      `${draw.piece()}=${draw.piece()}`,
    ].filter(() => draw.below(2) === 0);
    return attacked(
      url,
      requestBytes(draw.oneOf(['GET', 'HEAD', 'PUT', 'OPTIONS']), `${pathname}?${query.join('&')}`, headers),
    );
  }
  const type = draw.below(6) === 0 ? draw.headerBytes() : 'application/json';
  return attacked(
    url,
    requestBytes('POST', pathname, [['content-type', type], ...headers], graphqlBody(draw, queries)),
  );
}

const TYPES = [
  'connection_init',
  'connection_ack',
  'ping',
  'pong',
  'subscribe',
  'next',
  'error',
  'complete',
  'nonsense',
];

function message(draw: Hostile, queries: readonly Call[]): string {
  const type = draw.below(2) === 0 ? 'subscribe' : draw.oneOf(TYPES);
  const payload = () => {
    if (type === 'subscribe') return draw.below(5) === 0 ? draw.json() : graphqlBody(draw, queries);
    if (type === 'next') return '{"data":null}';
    if (type === 'error') return '[{"message":"no"}]';
    const name = draw.oneOf([...FORWARDED, 'Authorization', 'x-tenant', '__proto__', 'host', 'content-length']);
    return draw.below(3) === 0 ? draw.json() : `{${JSON.stringify(name)}:${draw.json()}}`;
  };
  const id = draw.below(5) === 0 ? draw.json() : draw.oneOf(['"1"', '"2"', '"3"', '"4"', '"__proto__"']);
  const parts = [
    `"type":${draw.below(20) === 0 ? draw.json() : JSON.stringify(type)}`,
    ...(draw.below(20) === 0 ? [] : [`"id":${id}`]),
    ...(draw.below(20) === 0 ? [] : [`"payload":${payload()}`]),
  ];
  return draw.below(20) === 0 ? draw.text() : `{${parts.join(',')}}`;
}

/** The forms of a frame: text, bytes, bytes marked as text, truncated, or with reserved bits. */
function say(socket: WebSocket, text: string, draw: Hostile): void {
  const bytes = Buffer.from(text);
  const underneath = (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket;
  switch (draw.below(30)) {
    case 0:
      return socket.send(bytes, { binary: true });
    case 1:
      return socket.send(Buffer.concat([Buffer.from([0xff, 0xfe, 0xed, 0xa0, 0x80]), bytes]), { binary: false });
    case 2:
      return underneath.write(Buffer.from([0xf1, 0x85, 1, 2, 3, 4, ...bytes.subarray(0, 5)]));
    case 3:
      return socket.ping(bytes.subarray(0, 125));
    default:
      return socket.send(text);
  }
}

const TIMEOUT_MS = 20_000;

/** GraphQL over WebSocket: greets, or not, sends some messages, and pings the server. */
export function attackWebSocket(
  url: string,
  draw: Hostile,
  queries: readonly Call[],
  own: object = {},
): Promise<Attacked> {
  const said: string[] = [];
  const greeting = draw.below(6) > 0 ? JSON.stringify({ type: 'connection_init', payload: own }) : undefined;
  const messages = Array.from({ length: 1 + draw.below(5) }, () => message(draw, queries));
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, draw.below(20) === 0 ? ['nonsense'] : ['graphql-transport-ws'], {
      headers: {
        'user-agent': 'x',
        cookie: draw
          .headerBytes()
          .toString('latin1')
          .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''),
      },
    });
    const finish = (status: number, text = '') => {
      clearTimeout(tooLong);
      socket.terminate();
      resolve({ sent: said.join('\n').slice(0, 3_000), status, text });
    };
    const tooLong = setTimeout(() => {
      socket.terminate();
      reject(new Error(`nobody is there any more after ${said.join('\n').slice(0, 2_000)}`));
    }, TIMEOUT_MS);
    const speak = () => {
      for (const text of messages) {
        said.push(text);
        say(socket, text, draw);
      }
      socket.send('{"type":"ping","payload":{"last":true}}');
    };
    let opened = false;
    socket.once('open', () => {
      opened = true;
      if (!greeting) return speak();
      said.push(greeting);
      socket.send(greeting);
      socket.once('message', speak);
    });
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      if (OURS.test(text)) return finish(500, text);
      if (text.includes('"last":true')) finish(0);
    });
    socket.on('error', () => undefined);
    // A socket that never opened was refused by an HTTP status.
    socket.once('close', (code, reason) => finish(opened ? code : 0, reason.toString()));
  });
}

/** Answers that report an internal error for an input. */
export const OURS = /Something went wrong|SUBGRAPH_UNAVAILABLE/;

const TUS_HEADERS = [
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-checksum',
  'upload-concat',
  'upload-defer-length',
  'tus-resumable',
  'x-http-method-override',
  'content-type',
  'content-length',
];

/** @param uploads paths of existing uploads */
export function attackTus(url: string, draw: Hostile, uploads: readonly string[]): Promise<Attacked> {
  const value = (): string | Buffer =>
    draw.oneOf<() => string | Buffer>([
      () => draw.headerBytes(),
      () => draw.oneOf(['0', '-1', '1e9', 'NaN', '9007199254740993', '5', '']),
      () =>
        draw.oneOf([
          'sha1 x',
          'md5 ',
          'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
          'partial',
          'final;/files/a /files/b',
          'final;',
        ]),
      () =>
        `filename ${Buffer.from(draw.text().slice(0, 500)).toString('base64')},uploadToken ${Buffer.from(draw.text().slice(0, 500)).toString('base64')}`,
      () => 'filename,filename a b,,uploadToken ====',
    ])();
  const headers = new Map<string, string | Buffer>([['tus-resumable', '1.0.0']]);
  for (let at = draw.below(6); at >= 0; at -= 1) headers.set(draw.oneOf(TUS_HEADERS), value());
  const contentLength = headers.get('content-length');
  if (contentLength !== undefined) headers.delete('content-length');
  const path = draw.below(3) === 0 ? `/files/${draw.piece()}` : draw.oneOf(['/files', '/files/', ...uploads]);
  const method = draw.oneOf(['POST', 'PATCH', 'PATCH', 'HEAD', 'DELETE', 'OPTIONS']);
  if (method === 'PATCH' && draw.below(2) === 0) headers.set('content-type', 'application/offset+octet-stream');
  const body = method === 'POST' || method === 'PATCH' ? draw.text().slice(0, 100) : '';
  return attacked(url, requestBytes(method, path, [...headers], body));
}

/** A documented route: its path with placeholders, and a valid body. */
export interface RestRoute {
  method: string;
  path: string;
  body?: Readonly<Record<string, unknown>>;
}

export function attackRest(
  url: string,
  draw: Hostile,
  { method, path, body }: RestRoute,
  own: Headers,
): Promise<Attacked> {
  const filled = path.replaceAll(/[{:]\w+}?|\*/g, () =>
    draw.below(2) === 0 ? draw.oneOf(['0a0c0000-0000-4000-8000-000000000001', '1', '2']) : draw.piece(),
  );
  const query =
    draw.below(2) === 0
      ? `?${['page', 'limit', 'workspaceId', 'token', draw.piece()].map((name) => `${name}=${draw.piece()}`).join('&')}`
      : '';
  const headers: Headers = [...(draw.below(3) === 0 ? [] : own), ...someHeaders(draw)];
  if (method === 'GET' || method === 'HEAD') return attacked(url, requestBytes(method, `${filled}${query}`, headers));
  const form = draw.below(6) === 0;
  const json = draw.below(10) === 0 ? draw.json() : draw.spoil(body ?? { a: 1 });
  const sent = form
    ? Object.keys(body ?? {})
        .map((name) => `${name}=${draw.piece()}`)
        .join('&')
    : json;
  const type =
    draw.below(10) === 0 ? draw.headerBytes() : form ? 'application/x-www-form-urlencoded' : 'application/json';
  return attacked(url, requestBytes(method, `${filled}${query}`, [['content-type', type], ...headers], sent));
}
