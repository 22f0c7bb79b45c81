import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/**
 * Unguarded listeners by file and event, and why they can't throw. An error in a callback of a library is caught by nobody,
 * so a new listener must be guarded (`@foyer/shared/telemetry/guarded`) or listed here.
 */
const proven: Record<string, [events: string, why: string]> = {
  'gateway/src/data-sources/over-web-socket.ts': [
    'closed error upgrade',
    'one ends a queue, one sets an option of the socket, one does nothing',
  ],
  'gateway/src/http/result-writers.ts': ['error', 'does nothing'],
  'gateway/src/web-socket/floods.ts': [
    'close message ping',
    'counts; closes with a code and a reason that are constant',
  ],
  'subgraphs/shared/src/web-sockets/serve-protocol.ts': ['close error error pong', 'log; clear a timer; note a time'],
  'gateway/src/web-socket/server.ts': [
    'close close error upgrade',
    'count; destroy; the upgrade catches for itself, as it must say no',
  ],
  'prisma/src/client.ts': [
    'connect connect error error errorMessage release',
    'do nothing; note a code; end a client, which rejects nothing',
  ],
  'subgraphs/shared/src/silent-connections.ts': ['acquire release', 'set and clear a timer; a look catches for itself'],
  'prisma/src/embedded.ts': ['data data error', 'keep text'],
  'prisma/src/migration-lock.ts': ['error', 'settles a promise'],
  'prisma/src/migration-scripts.ts': ['error', 'does nothing'],
  'prisma/src/schema-engine.ts': ['error', 'does nothing'],
  'prisma/src/free-port.ts': ['error', 'closes a socket; settles a promise'],
  'server/src/cli/command.ts': ['signal', 'aborts a signal'],
  'server/src/distributed/edge-endpoint.ts': ['close', 'clears a timer; deletes listeners'],
  'server/src/distributed/one-machine/balancer.ts': [
    'close close close connect error error error',
    'destroy, delete and pipe sockets',
  ],
  'server/src/distributed/one-machine/supervisor.ts': [
    'exit exit',
    'restart a process; a failure should end the supervisor',
  ],
  'server/src/distributed/subgraph-endpoint.ts': ['connection', 'sets an option of the socket'],
  'server/src/docs-site/start-page.ts': ['connect error timeout', 'settle a promise'],
  'subgraphs/identity/src/session-stream/routes.ts': ['close', 'aborts a signal'],
  'subgraphs/media/src/adapters/run-program.ts': [
    'close data data error line',
    'keep text; settle a promise; note progress',
  ],
  'subgraphs/media/src/adapters/previews/thumbnail-inside.ts': [
    'end entry error',
    'settle a promise; run in a process apart',
  ],
  'subgraphs/media/src/adapters/upload-store/locker.ts': [
    'end error notification',
    'call what is guarded where it is made',
  ],
  'subgraphs/media/src/adapters/upload-store/spooled-parts.ts': ['error', 'settles a promise'],
  'subgraphs/media/src/assets/routes.ts': ['finish', 'frees a buffer of its own, once'],
  'subgraphs/media/src/nodes/exchange-limits.ts': ['close error', 'clear timers; one does nothing'],
  'subgraphs/media/src/nodes/proxy.ts': ['close error', 'abort a signal; one does nothing'],
  'subgraphs/shared/src/http/close-server.ts': ['request', 'sets a field of the response'],
  'subgraphs/shared/src/http/error-body.ts': ['close', 'aborts a signal'],
  'subgraphs/shared/src/http/request-scope.ts': ['close', 'aborts a signal, whose listeners Node guards'],
  'subgraphs/shared/src/s3/limited-transport.ts': [
    'close response timeout',
    'one is the S3 client’s own listener, one ends the request, one clears a timer',
  ],
  'subgraphs/shared/src/jobs/jobs.ts': ['error', 'logs'],
  'subgraphs/shared/src/database-reachable.ts': ['error', 'ignores it: connecting reports the same'],
  'subgraphs/shared/src/events/postgres-connection.ts': [
    'end error notification',
    'abort a signal; one is guarded where it is made',
  ],
  'subgraphs/shared/src/events/redis.ts': [
    'end error ready ready',
    'log; clear a timer; a promise whose rejection is caught',
  ],
  'subgraphs/shared/src/process/run-once.ts': [
    'disconnect error exit message message signal',
    'settle a promise; one ends the process, one starts work that catches, one does nothing',
  ],
  'subgraphs/shared/src/process/run.ts': [
    'SIGINT disconnect error signal uncaughtException',
    'stop the process, which catches; does nothing',
  ],
  'subgraphs/shared/src/http/server-limits.ts': ['close', 'clears a timer'],
  'subgraphs/shared/src/telemetry/log.ts': ['drop error', 'write, whose errors are events; does nothing'],
};

/** `emitter.on('event', listener)`. */
const LISTENING = /\.(?:on|once|addListener|prependListener)\(\s*(?:'([\w-]+)'|(\w+)),\s*((?:guarded|guard)\()?/g;

/** The events that a file listens to by something that is not guarded. */
const listenersOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(LISTENING)]
    .filter(([, , , guard]) => guard === undefined)
    .map(([, event, variable]) => event ?? variable ?? '')
    .toSorted();

const files = globSync('{gateway,prisma,rest-compat,server,subgraphs/*}/src/**/*.ts', { cwd: root })
  .filter((file) => !/\.test\.ts$|\/(?:testing|simulators|generated)\//.test(file))
  .toSorted();

it('every listener is guarded, or is known to throw nothing', () => {
  const found = files.map((file) => [file, listenersOf(file).join(' ')] as const).filter(([, events]) => events !== '');

  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(proven).map(([file, [events]]) => [file, events])),
  );
});
