import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

interface Answer {
  status: number;
  text: string;
}

/**
 * Stands in for an identity provider: it says yes to every password at once, and from the first login on it
 * answers everything else as the real one answered it the first time. So neither the hash nor the simulator's work is measured.
 */
export async function withoutHash(upstream: string): Promise<Server> {
  const known = new Map<string, Promise<Answer>>();

  let remembers = false;
  async function answerTo(request: IncomingMessage, body: string): Promise<Answer> {
    if (request.url?.endsWith('/CreateSession')) {
      remembers = true;
      return { status: 200, text: JSON.stringify({ sessionId: '300000000000000001', sessionToken: 'bench' }) };
    }
    if (!remembers) return forward(upstream, request, body);
    const key = `${request.url} ${body}`;
    const answer = known.get(key) ?? forward(upstream, request, body);
    known.set(key, answer);
    return answer;
  }
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, text } = await answerTo(request, Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((request, response) => void pass(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function forward(upstream: string, request: IncomingMessage, body: string): Promise<Answer> {
  const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
  const response = await fetch(new URL(request.url ?? '/', upstream), {
    method: request.method ?? 'POST',
    headers: { authorization, 'content-type': type },
    ...(body && { body }),
  });
  return { status: response.status, text: await response.text() };
}
