import type { JsonValue } from '@bufbuild/protobuf';
import { fastify } from 'fastify';

import { calls, type Call } from '../adapters/identity-provider/calls.ts';

export interface RecordedCall {
  call: Call;
  request: JsonValue;
  status: number;
  answer: JsonValue;
}

export interface RecordingProxy {
  url: string;
  calls: RecordedCall[];
  stop(): Promise<void>;
}

/** Starts a proxy between the adapter and a provider that records all calls. It passes only the two headers that matter. */
export async function startRecordingProxy(upstream: string): Promise<RecordingProxy> {
  const recorded: RecordedCall[] = [];
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.all('/*', async ({ method, url, headers, body }, response) => {
    const text = typeof body === 'string' ? body : '';
    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const passed = await fetch(new URL(url, upstream), {
      method,
      headers: { authorization, 'content-type': type },
      ...(text && { body: text }),
    });
    const answer = await passed.text();
    const named = findCall(method, url);
    if (named) {
      const request = { ...(text ? (JSON.parse(text) as object) : {}), ...named.fields };
      recorded.push({ call: named.call, request, status: passed.status, answer: JSON.parse(answer) as JsonValue });
    }
    return response.code(passed.status).type('application/json').send(answer);
  });
  return { stop: () => app.close(), url: await app.listen({ port: 0, host: '127.0.0.1' }), calls: recorded };
}

/** Finds the call that an address stands for, and the fields in the address. */
function findCall(verb: string, address: string): { call: Call; fields: Record<string, JsonValue> } | undefined {
  const url = new URL(address, 'http://provider');
  const ctx = Object.fromEntries(
    [...url.searchParams].map(([name, value]) => [name.replace('ctx.', ''), value === 'true' ? true : value]),
  );
  for (const call of Object.values(calls)) {
    if (url.pathname === `/${call.service}/${call.method}`) return { call, fields: {} };
    const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const found = new RegExp(`^${call.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(url.pathname);
    if (call.verb !== verb || !found) continue;
    const inPath = Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']));
    return { call, fields: { ...inPath, ...(url.search && { ctx }) } };
  }
  return undefined;
}
