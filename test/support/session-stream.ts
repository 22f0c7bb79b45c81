import { setTimeout as sleep } from 'node:timers/promises';

import type { Server } from './servers/server-process.ts';

/** The position where a stream begins. */
export interface StreamFrom {
  lastEventId?: string | undefined;
  path?: string;
}

/** A stream of ended sessions, with its events so far. */
export async function openSessionStream(
  { url }: Server,
  { headers }: { headers: Record<string, string> },
  { lastEventId, path = '/api/v1/sessions/stream' }: StreamFrom = {},
) {
  const leaving = new AbortController();
  const response = await fetch(new URL(path, url), {
    headers: { ...headers, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: leaving.signal,
  });
  let text = '';
  const ended = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    return 'ended';
  })().catch(() => 'left');
  const until = async (words: string | RegExp) => {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(20)) {
      if (text.match(words)) return text;
    }
    throw new Error(`no ${String(words)} in: ${text}`);
  };
  return { response, ended, until, text: () => text, leave: () => leaving.abort() };
}
