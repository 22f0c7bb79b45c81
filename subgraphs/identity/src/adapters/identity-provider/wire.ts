import { timeLeft } from '@foyer/shared/graphql/deadline';
import { inTime } from '@foyer/shared/http/in-time';
import type { Log } from '@foyer/shared/telemetry/log';
import { tracedCall } from '@foyer/shared/telemetry/tracing';
import { Agent, request } from 'undici';
import type { z } from 'zod';

import type { Call } from './calls.ts';
import { errorId, NotInTime, refusalFor, UnusableAnswer } from './errors.ts';

export interface WireSettings {
  url: string;
  /** The host by which the provider finds its instance, when we call it by another address. */
  instanceHost?: string | undefined;
  /** `auto` probes once: a server before version 4 knows REST only. */
  wire: 'auto' | 'connect' | 'rest';
  /** The timeout of one call, unless the request has an earlier deadline. */
  timeoutMs: number;
  log: Log;
  token(): Promise<string>;
}

export interface Wire {
  /** Whether the server takes Connect, and with it the calls that came with version 4. */
  modern(): Promise<boolean>;
  send<Reply>(call: Call, body: Record<string, unknown>, reply: z.ZodType<Reply>): Promise<Reply>;
}

/** A list has at most a hundred people, who take a tenth of that. */
const LONGEST_ANSWER = 2 * 1024 * 1024;

/** Not by HTTP/2: a call without an answer would leave the connection, and all others would go on to wait on it. */
const dispatcher = new Agent({ maxResponseSize: LONGEST_ANSWER, allowH2: false });

type Family = 'connect' | 'rest';

/** Sends calls in the family that the server speaks. Neither headers nor bodies may ever be logged. */
export function openWire(settings: WireSettings, probe: { call: Call; body: Record<string, unknown> }): Wire {
  let family: Family | undefined = settings.wire === 'auto' ? undefined : settings.wire;

  async function detect(): Promise<Family> {
    if (family) return family;
    const { status, answer } = await exchange(settings, 'connect', probe.call, probe.body);
    // Connect names its codes; a number comes from the REST gateway of a server that has no Connect.
    const found: Family = status === 404 && typeof codeOf(answer) === 'number' ? 'rest' : 'connect';
    if (status < 500) family = found;
    return found;
  }

  return {
    modern: async () => (await detect()) === 'connect',
    async send(call, body, reply) {
      const { status, answer } = await exchange(settings, await detect(), call, body);
      if (status === 401 || status === 403) {
        settings.log.error(
          { method: call.method, status, id: errorId(answer) },
          'the identity provider refuses our access token',
        );
      }
      if (status < 200 || status > 299) throw refusalFor(call.method, status, answer);
      const parsed = reply.safeParse(answer);
      if (!parsed.success) throw new UnusableAnswer(call.method, 'it has another shape').refusal();
      return parsed.data;
    },
  };
}

async function exchange(settings: WireSettings, family: Family, call: Call, body: Record<string, unknown>) {
  const token = await settings.token();
  try {
    const leftMs = timeLeft(settings.timeoutMs);
    if (leftMs === 0) throw new DOMException('no time is left', 'TimeoutError');
    const { verb, url, content } =
      family === 'connect' ? connectRequest(settings.url, call, body) : restRequest(settings.url, call, body);
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'accept-encoding': 'identity', // undici does not decompress, and without this an answer may be compressed
      'user-agent': 'foyer', // some firewalls refuse whoever sends none
      ...(content && { 'content-type': 'application/json' }),
      ...(family === 'connect' && { 'connect-protocol-version': '1' }),
      ...(settings.instanceHost && { 'x-zitadel-instance-host': settings.instanceHost }),
    };
    const { status, text } = await tracedCall({ peer: 'identity provider', url, verb, method: call.method }, () =>
      inTime(leftMs, async (signal) => {
        const { statusCode, body: answer } = await request(url, {
          dispatcher,
          method: verb,
          headers,
          body: content ?? null,
          signal,
        });
        return { status: statusCode, text: await answer.text() };
      }),
    );
    if (status >= 300 && status < 400) throw new Error('it redirects'); // it is something else that answers
    // An error may have no body. A success without a body is an error: an empty object is sent as {}.
    const isFailure = status < 200 || status > 299;
    return { status, answer: text || isFailure ? (JSON.parse(text || '{}') as unknown) : undefined };
  } catch (error) {
    const what = error instanceof Error ? error.name : 'unknown';
    settings.log.warn({ method: call.method, what }, 'no usable answer from the identity provider');
    throw what === 'TimeoutError'
      ? new NotInTime(call.method, what).refusal()
      : new UnusableAnswer(call.method, what).refusal();
  }
}

const connectRequest = (base: string, { service, method }: Call, body: Record<string, unknown>) => ({
  verb: 'POST' as const,
  url: new URL(`/${service}/${method}`, base),
  content: JSON.stringify(body),
});

function restRequest(base: string, { verb, path, method }: Call, body: Record<string, unknown>) {
  const rest = { ...body };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, field: string) => {
    const value = rest[field];
    delete rest[field];
    if (typeof value !== 'string' || value === '') throw new Error(`${method} needs ${field}`);
    return encodeURIComponent(value);
  });
  const url = new URL(filled, base);
  if (verb !== 'GET') return { verb, url, content: JSON.stringify(rest) };
  for (const [name, value] of flatten(rest)) url.searchParams.set(name, value);
  return { verb, url, content: undefined };
}

/** `{ctx: {orgId: '1'}}` becomes `ctx.orgId=1`. */
function flatten(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] =>
    typeof inner === 'object' && inner !== null
      ? flatten(inner, `${prefix}${name}.`)
      : [[`${prefix}${name}`, String(inner)]],
  );
}

const codeOf = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'code' in answer ? answer.code : undefined;
