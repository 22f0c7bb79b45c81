import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as it was received. */
export interface Span {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  service: string;
  attributes: Record<string, unknown>;
  failed: boolean;
  links: { traceId: string; spanId: string }[];
}

/** A collector of spans: OTLP over HTTP, in JSON, like that of OpenTelemetry. */
export interface Collector {
  spans: Span[];
  /** The variables that make a server send its spans here, soon. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<Span, 'kind' | 'service' | 'attributes' | 'failed' | 'parentSpanId' | 'links'> & {
        kind: number;
        parentSpanId?: string;
        attributes: Attribute[];
        status: { code?: number };
        links?: Span['links'];
      })[];
    }[];
  }[];
}

export async function openCollector(): Promise<Collector> {
  const spans: Span[] = [];
  const server = createServer((request, response) => {
    json(request)
      .then((sent) => void spans.push(...read(sent as Sent)))
      .then(() => response.setHeader('content-type', 'application/json').end('{}'))
      .catch(() => response.writeHead(400).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    spans,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const ERROR = 2;

const read = ({ resourceSpans }: Sent): Span[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ traceId, spanId, parentSpanId = '', name, kind, attributes, status, links = [] }) => ({
        traceId,
        spanId,
        parentSpanId,
        name,
        kind: kinds[kind] ?? 'internal',
        service: String(plain(resource.attributes)['service.name']),
        attributes: plain(attributes),
        failed: status.code === ERROR,
        links,
      })),
  );

const plain = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** The path of a span: the names of its ancestors and its own, from the first. */
export function pathOf(span: Span, spans: readonly Span[]): string[] {
  const above = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(above ? pathOf(above, spans) : []), span.name];
}
