/**
 * A process that runs servers for tests, each with variables, a port and a data folder of its own. The code is loaded and
 * compiled once for all of them, which is most of what a short-lived server costs.
 *
 * `POST /` with variables as JSON starts a server; 500 says why it did not start. `DELETE /PORT` stops one. The first line that it prints is
 * its own address. It ends with its standard input.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { startServer, type RunningServer } from '../../../server/src/single-process/server.ts';

const running = new Map<string, RunningServer>();

async function obey(request: IncomingMessage): Promise<void> {
  if (request.method === 'POST') {
    const variables = (await json(request)) as NodeJS.ProcessEnv;
    running.set(variables['PORT'] ?? '', await startServer(variables));
  } else {
    const port = (request.url ?? '').slice(1);
    const server = running.get(port);
    running.delete(port);
    await server?.stop();
  }
}

const control = createServer((request, response) => {
  obey(request).then(
    () => response.writeHead(204).end(),
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
  );
}).listen(0, '127.0.0.1');
await once(control, 'listening');
process.stdout.write(`http://127.0.0.1:${(control.address() as AddressInfo).port}\n`);

process.stdin.resume().once('end', () => void stop());
async function stop(): Promise<void> {
  await Promise.all([...running.values()].map((server) => server.stop()));
  process.exit();
}
