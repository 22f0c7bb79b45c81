import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The code that runs in production: without tests and simulators. */
const sources = globSync('{gateway,prisma,rest-compat,server,subgraphs/*}/src/**/*.ts', { cwd: root })
  .filter((file) => !/\.test\.ts$|\/(?:simulators|testing|generated)\//.test(file))
  .toSorted();

const codeOf = (file: string) =>
  readFileSync(join(root, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');

/** Libraries that open connections, ours and others that may be added. */
const clients = [
  'undici',
  'nodemailer',
  'minio',
  'ioredis',
  'redis',
  'pg',
  'pg-boss',
  'ws',
  'graphql-ws',
  'graphql-sse',
  '@prisma/adapter-pg',
  '@fastify/http-proxy',
  '@fastify/reply-from',
  '@tus/s3-store',
  '@opentelemetry/sdk-node',
  '@opentelemetry/exporter-[\\w-]+',
  '@aws-sdk/[\\w-]+',
  'axios',
  'got',
  'ky',
  'needle',
  'node-fetch',
  'cross-fetch',
  'make-fetch-happen',
  'superagent',
  'request',
  'bent',
  'phin',
  'wretch',
  'ofetch',
  'eventsource',
  'ssh2',
  'basic-ftp',
  'amqplib',
  'kafkajs',
  'mqtt',
  'imapflow',
  'mysql2',
  'mongodb',
  'socks',
  'openid-client',
];

/** The ways in which a source can open a connection; type imports open none. */
const ways: readonly RegExp[] = [
  new RegExp(String.raw`^import (?!type )[^;]*? from '(?:${clients.join('|')})(?:/[^']*)?';`, 'm'),
  new RegExp(String.raw`\b(?:import|require)\('(?:${clients.join('|')})(?:/[^']*)?'\)`),
  /^import \{[^}]*\b(?:request|get|Agent|connect|createConnection|Socket|createSocket)\b[^}]*\} from '(?:node:)?(?:http|https|http2|net|tls|dgram)';/m,
  /^import (?:\* as )?\w+ from '(?:node:)?(?:http|https|http2|net|tls|dgram)';/m,
  /(?<![.\w]|async )fetch\((?!\w+: )/,
  /\b(?:globalThis|global|window)\.fetch\b/,
  /\bnew (?:WebSocket|EventSource)\(/,
];

/** `import { type A } from …` and `import { type A, type B } from …` import no code either. */
const withoutTypes = (code: string) =>
  code.replaceAll(/\btype \w+(?: as \w+)?,?\s*/g, '').replaceAll(/^import \{\s*\} from '[^']*';/gm, '');

/** To addresses that users enter while Foyer runs: the address policy checks them before each connection. */
const throughThePolicy = [
  'subgraphs/media/src/adapters/node-connections.ts',
  'subgraphs/shared/src/mail/smtp-mailer.ts',
];

/** To addresses from the environment of the process, or from the code: users can not change them. */
const toTheOperatorsAddresses: Readonly<Record<string, string>> = {
  'gateway/src/authentication/key-set.ts': 'the key sets that the configuration file of a standalone gateway names',
  'gateway/src/data-sources/faults.ts': 'nowhere: it knows the errors of a library by their names',
  'gateway/src/data-sources/over-http.ts': 'subgraphs, by the supergraph',
  'gateway/src/data-sources/over-web-socket.ts': 'subgraphs, by the supergraph',
  'gateway/src/http/landing-page.ts': 'nowhere: a script for browsers, to the page that it stands on',
  'subgraphs/shared/src/web-sockets/operation-ids.ts': 'nowhere: it reads messages of WebSockets',
  'subgraphs/shared/src/web-sockets/serve-protocol.ts': 'nowhere: it takes WebSockets',
  'gateway/src/web-socket/connection.ts': 'nowhere: it closes WebSockets by the codes of a library',
  'gateway/src/web-socket/operations.ts': 'nowhere: it closes WebSockets by the codes of a library',
  'gateway/src/web-socket/server.ts': 'nowhere: it takes WebSockets',
  'prisma/src/client.ts': 'DATABASE_URL',
  'prisma/src/free-port.ts': 'nowhere: it takes a UDP port as a lock',
  'prisma/src/migrate.ts': 'DATABASE_URL',
  'prisma/src/schema-engine.ts': 'DATABASE_URL',
  'server/src/cli/doctor/addresses.ts': 'PUBLIC_URL, from the command line',
  'server/src/cli/doctor/processes.ts': 'IDENTITY_URL and the like, from the command line',
  'server/src/cli/doctor/services.ts': 'IDP_URL and the like, from the command line',
  'server/src/distributed/one-machine/balancer.ts': 'processes that it is told of by the one that starts them',
  'server/src/distributed/ask-subgraphs.ts': 'IDENTITY_URL, TICKETING_URL, MEDIA_URL',
  'server/src/distributed/remote-records.ts': 'IDENTITY_URL, TICKETING_URL, MEDIA_URL',
  'server/src/distributed/forwarded-routes.ts': 'IDENTITY_URL, TICKETING_URL, MEDIA_URL, UPLOAD_SERVER_URL',
  'server/src/distributed/subgraph-endpoint.ts': 'nowhere: it takes WebSockets',
  'server/src/composition/http-server.ts': 'pages of embedded parts, while one develops',
  'server/src/distributed/process-checks.ts': 'IDENTITY_URL, TICKETING_URL, MEDIA_URL',
  'server/src/docs-site/start-page.ts': 'embedded parts, while one develops',
  'subgraphs/identity/src/adapters/identity-provider/wire.ts': 'IDP_URL',
  'subgraphs/identity/src/tokens/legacy-auth-service.ts': 'AUTH_BASE_URL',
  'subgraphs/media/src/adapters/object-store/s3.ts': 'S3_ENDPOINT',
  'subgraphs/media/src/adapters/upload-store/locker.ts': 'DATABASE_URL',
  'subgraphs/media/src/adapters/upload-store/s3.ts': 'S3_ENDPOINT',
  'subgraphs/media/src/upload-server/send-hook.ts': 'HOOK_URL',
  'subgraphs/shared/src/database-reachable.ts': 'DATABASE_URL',
  'subgraphs/shared/src/jobs/jobs.ts': 'DATABASE_URL',
  'subgraphs/shared/src/events/postgres-connection.ts': 'DATABASE_URL',
  'subgraphs/shared/src/s3/client.ts': 'S3_ENDPOINT',
  'subgraphs/shared/src/s3/limited-transport.ts': 'S3_ENDPOINT',
  'subgraphs/shared/src/telemetry/open-tracing.ts': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  'subgraphs/shared/src/events/redis.ts': 'REDIS_URL',
  'subgraphs/ticketing/src/adapters/payment-gateway.ts': 'PAYMENT_GATEWAY_URL',
  'subgraphs/ticketing/src/ticket-codes/cli.ts': 'what is said on the command line',
};

/** Answers that never end; instead of a limit of time, they have one of silence. */
const streams = new Map([
  ['server/src/distributed/remote-records.ts', /signal: AbortSignal\.any\(\[stopping, silent\.signal\]\)/],
]);

const callsFetch = (code: string) => /(?<![.\w]|async )fetch\((?!\w+: )/.test(code);

/** Of an answer of any length. */
const readsAll = (code: string) => /\.(?:json|text|arrayBuffer|blob|bytes|formData)\(\)/.test(code);

const servers = sources.filter((file) => !file.includes('landing-page'));

const opensConnections = (code: string) => ways.some((way) => way.test(withoutTypes(code)));
const goesOut = (file: string) => opensConnections(codeOf(file));

describe('a connection that leaves the process', () => {
  it('is opened by a file of this table, so that somebody has checked where the address comes from', () => {
    const known = [...throughThePolicy, ...Object.keys(toTheOperatorsAddresses)];
    expect(sources.filter((file) => goesOut(file))).toEqual(known.toSorted());
  });

  it.each([
    ["import { request } from 'undici';", true],
    ["import { type Dispatcher, Agent } from 'undici';", true],
    ["import { type Dispatcher } from 'undici';", false],
    ["import type { Dispatcher } from 'undici';", false],
    ["import {\n  createServer,\n  get,\n} from 'node:http';", true],
    ["import { createServer } from 'node:http';", false],
    ["import http from 'node:http';", true],
    ["import * as tls from 'tls';", true],
    ["const { default: axios } = await import('axios');", true],
    ['await fetch(url);', true],
    ['await globalThis.fetch(url);', true],
    ['await store.fetch(key, file);', false],
    ['  async fetch(key, file) {', false],
    ['  fetch(key: string): Promise<void>;', false],
    ['new WebSocket(url)', true],
  ])('is detected in %j: %s', (code, isNoticed) => {
    expect(opensConnections(code)).toBe(isNoticed);
  });

  it.each(throughThePolicy)('by %s goes only to addresses that the policy has checked', (file) => {
    // Checked addresses have a type of their own, which only the policy makes, so the compiler enforces the rest.
    expect(codeOf(file)).toMatch(
      /import (?:type )?\{[^}]*\b(?:AddressPolicy|JudgedAddress)\b[^}]*\} from '@foyer\/shared\/http\/addresses\/address-policy'|import type \{ JudgedAddress \} from '\.\.\/http\/addresses\/address-policy\.ts'/,
    );
    expect(codeOf(file)).not.toMatch(/as (?:unknown as )?JudgedAddress/);
  });

  it.each(servers.filter((file) => readsAll(codeOf(file))))('is read by %s up to a limit of its client', (file) => {
    expect(codeOf(file)).toMatch(/\bnew (?:Agent|Pool)\([^;]*\bmaxResponseSize\b/);
    expect(callsFetch(codeOf(file))).toBe(false);
  });

  const made = (code: string) => [...code.matchAll(/\b(?:new (?:Agent|Pool)|buildConnector)\(/g)].length;

  it.each(servers.filter((file) => /from 'undici'/.test(codeOf(file)) && made(codeOf(file)) > 0))(
    'by %s speaks HTTP/1.1, where a call without an answer ends its connection and no other waits on it',
    (file) => {
      expect([...codeOf(file).matchAll(/\ballowH2: false\b/g)]).toHaveLength(made(codeOf(file)));
    },
  );

  it.each(servers.filter((file) => callsFetch(codeOf(file))))(
    'by a fetch in %s follows no redirect, and has a limit of time',
    (file) => {
      for (const [call] of codeOf(file).matchAll(
        /(?<![.\w])fetch\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)/g,
      )) {
        expect(call).toMatch(/redirect: '(?:error|manual)'/);
        expect(call).toMatch(streams.get(file) ?? /signal: (?:AbortSignal\.any\(\[[\w.]+, )?AbortSignal\.timeout\(/);
      }
    },
  );
});
