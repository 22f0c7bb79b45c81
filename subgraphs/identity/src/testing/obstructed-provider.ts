import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';

/** A proxy between the adapter and a provider that can delay a call, or lose its answer. */
export interface ObstructedProvider {
  url: string;
  /** Forwards the next call of that name, and holds its answer back until it is released. */
  hold(method: string): Held;
  /** From now on no call is answered. */
  hang(): void;
  stop(): Promise<void>;
}

interface Held {
  /** Resolves when the provider has carried out the request. */
  done: Promise<void>;
  /** Releases the answer. */
  release(): void;
  /** Breaks the connection instead: the caller never learns the outcome. */
  cut(): void;
}

/** Starts the proxy. It forwards only the two headers that matter, and knows only the Connect names of calls. */
export async function obstruct(upstream: string): Promise<ObstructedProvider> {
  const waiting = new Map<string, { done: () => void; verdict: Promise<'release' | 'cut'> }>();

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const passed = await fetch(new URL(request.url ?? '/', upstream), {
      method: request.method ?? 'POST',
      headers: { authorization, 'content-type': type },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const answer = await passed.text();
    const name = request.url?.split('/').at(-1) ?? '';
    const obstacle = waiting.get(name);
    waiting.delete(name);
    obstacle?.done();
    if ((await obstacle?.verdict) === 'cut') return void response.destroy();
    response.writeHead(passed.status, { 'content-type': 'application/json' }).end(answer);
  }

  let hangs = false;
  const server = createServer(
    (request, response) => !hangs && void pass(request, response).catch(() => response.destroy()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    hold(method) {
      const done = Promise.withResolvers<void>();
      const verdict = Promise.withResolvers<'release' | 'cut'>();
      waiting.set(method, { done: done.resolve, verdict: verdict.promise });
      return { done: done.promise, release: () => verdict.resolve('release'), cut: () => verdict.resolve('cut') };
    },
    hang: () => void (hangs = true),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
