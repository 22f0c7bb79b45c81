import { randomInt } from 'node:crypto';

import { createClient, type Client } from 'graphql-ws';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

import type { Outcome, Tally } from './tally.ts';

/** A kind of request, and the subgraphs that it needs. */
export interface Kind {
  name: string;
  needs: readonly string[];
  request(): Request;
}

interface Request {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: object;
  /** The caller, when it is somebody else. */
  headers?: Record<string, string>;
}

const PAUSE_MS = 50;
const CONNECTIONS = 16;

interface Told {
  extensions?: { code?: string; reason?: string };
}

/** The code of the first error. */
const codeOf = (errors: unknown, otherwise: string): string => {
  const [first] = Array.isArray(errors) ? (errors as Told[]) : [];
  return first?.extensions?.reason ?? first?.extensions?.code ?? otherwise;
};

/** Sends requests in turn, by some clients, until the time is over. */
export async function ask(
  { url, headers, tally, over }: { url: string; headers: Record<string, string>; tally: Tally; over: AbortSignal },
  kinds: readonly Kind[],
  clients: number,
): Promise<void> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  let turn = 0;

  async function outcomeOf({ method, path, body, headers: others = headers }: Request): Promise<Outcome> {
    const started = performance.now();
    const passed = (code?: string): Outcome => ({ code, ms: performance.now() - started });
    const json = body && { 'content-type': 'application/json', accept: 'application/json' };
    try {
      const answer = await pool.request({
        method,
        path,
        headers: { ...others, ...json },
        ...(body && { body: JSON.stringify(body) }),
      });
      const { code, errors } = (await answer.body.json()) as { code?: string; errors?: unknown };
      const said = errors ? codeOf(errors, 'NO_CODE') : undefined;
      return passed(said ?? (answer.statusCode >= 400 ? (code ?? `STATUS_${answer.statusCode}`) : undefined));
    } catch (error) {
      return passed(`BROKEN_OFF ${(error as Error).message}`);
    }
  }
  async function client() {
    while (!over.aborted) {
      const kind = kinds[(turn += 1) % kinds.length];
      if (kind) tally.add(kind.name, await outcomeOf(kind.request()));
      await pause(PAUSE_MS);
    }
  }
  await Promise.all(Array.from({ length: clients }, client));
  await pool.close();
}

/** A subscription whose first event comes at once. */
export interface Following {
  name: string;
  query: string;
  variables: Record<string, unknown>;
}

/** How long a subscription stays open, in milliseconds: not as long as others, or all would come again at the same moment. */
const FOLLOW_MS = { least: 3_000, most: 7_000 };

/** Keeps subscriptions open: each for a while, then again; and again at once when one breaks off. */
export async function follow(
  { url, token, tally, over }: { url: string; token: string; tally: Tally; over: AbortSignal },
  followings: readonly Following[],
  each: number,
): Promise<void> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    lazy: false, // or it closes whenever nothing is open, and ends what is being opened at that moment
    shouldRetry: () => !over.aborted,
    retryAttempts: Infinity,
    retryWait: () => pause(PAUSE_MS),
  });
  await Promise.all(
    followings.flatMap((following) =>
      Array.from({ length: each }, async () => {
        while (!over.aborted) {
          tally.add(following.name, await once(client, following));
          await pause(PAUSE_MS);
        }
      }),
    ),
  );
  await client.dispose();
}

/** Succeeds when its first event came and nothing failed. */
function once(client: Client, { query, variables }: Following): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    let cameAfterMs: number | undefined;
    const end = (code?: string) => {
      clearTimeout(enough);
      leave();
      resolve({ code, ms: cameAfterMs ?? performance.now() - started });
    };
    const enough = setTimeout(
      () => end(cameAfterMs === undefined ? 'NO_EVENT' : undefined),
      randomInt(FOLLOW_MS.least, FOLLOW_MS.most),
    );
    const leave = client.subscribe(
      { query, variables },
      {
        next: ({ errors }) => {
          cameAfterMs ??= performance.now() - started;
          if (errors) end(codeOf(errors, 'NO_CODE'));
        },
        error: (error) => end(codeOf(error, 'BROKEN_OFF')),
        complete: () => end('ENDED'),
      },
    );
  });
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
