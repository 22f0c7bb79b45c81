import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** The proxy of a browser, through which everything goes until it is told otherwise. */
export interface WeakConnection {
  /** For a context of the browser; without `bypass`, Chromium goes to this machine directly. */
  proxy: { server: string; bypass: string };
  /** Holds the bodies of uploads after so many bytes of the file, and resolves when one is held. */
  holdAfter(bytes: number): Promise<void>;
  /** Cuts every connection, and refuses others. */
  cut(): Promise<void>;
  /** Lets everything through again. */
  restore(): Promise<void>;
}

/** Starts a connection that can be weak. `cut` ends it. */
export async function openWeakConnection(): Promise<WeakConnection> {
  let held: { after: number; reached: () => void } | undefined;
  const sockets = new Set<Socket>();

  function bodyOf(sent: IncomingMessage) {
    if (sent.method !== 'PATCH' || !held) return sent;
    const { after, reached } = held;
    let passed = Number(sent.headers['upload-offset']);
    return sent.pipe(
      new Transform({
        transform(chunk: Buffer, _encoding, next) {
          const rest = chunk.subarray(0, Math.max(0, after - passed));
          passed += rest.length;
          this.push(rest);
          if (passed < after) next();
          else reached(); // and asks for no more
        },
      }),
    );
  }
  function forward(sent: IncomingMessage, answer: ServerResponse) {
    const { hostname, port, pathname, search } = new URL(sent.url ?? '');
    const { method, headers } = sent;
    const onward = request({ hostname, port, path: `${pathname}${search}`, method, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(answer);
    });
    const end = () => onward.destroy();
    onward.on('error', () => answer.destroy());
    answer.on('close', end);
    bodyOf(sent).pipe(onward);
  }

  const server = createServer(forward);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  // WebSockets.
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    const { hostname, port } = new URL(`http://${url}`);
    const onward = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  return {
    proxy: { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' },
    holdAfter: (after) => new Promise((reached) => (held = { after, reached })),
    async cut() {
      held = undefined;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: () => listen(port),
  };
}
