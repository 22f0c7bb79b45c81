import { setTimeout as sleep } from 'node:timers/promises';

import { createClient } from 'graphql-ws';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { closeHouse, openHouse, type House } from '../support/house.ts';
import { send, signIn } from '../support/people.ts';

let house: House;
/** A stream that is left alone until its token expires, and when it has ended. */
let leftAlone: { expiry: number; end: Promise<{ how: string; at: number }> };

beforeAll(async () => {
  house = await openHouse({ SESSION_STREAM_HEARTBEAT_MS: '300', AUTH_JWT_ACCESS_EXPIRY: '20' });
  const listener = await signIn(house, 'viewer@acme.test', 'ACME');
  const { ended } = await open(listener);
  leftAlone = {
    expiry: decodeJwt(listener.access_token).exp ?? 0,
    end: ended.then((how) => ({ how, at: Date.now() / 1_000 })),
  };
});
afterAll(() => closeHouse(house));

type Person = Awaited<ReturnType<typeof signIn>>;

const sessionOf = ({ access_token }: Person) => decodeJwt(access_token)['sid'];
const logOut = ({ headers }: Person) => send(house, 'POST', '/api/v1/logout', { headers });

/** A stream, and what has come out of it so far. */
async function open({ headers }: Person, lastEventId?: string, path = '/api/v1/sessions/stream') {
  const leaving = new AbortController();
  const response = await fetch(new URL(path, house.url), {
    headers: { ...headers, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: leaving.signal,
  });
  let text = '';
  const ended = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    return 'ended';
  })().catch(() => 'left');
  const until = async (words: string | RegExp) => {
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(20)) {
      if (text.match(words)) return text;
    }
    throw new Error(`no ${String(words)} in: ${text}`);
  };
  return { response, ended, until, text: () => text, leave: () => leaving.abort() };
}

const events = (text: string) =>
  [...text.matchAll(/event: session_revoked\nid: (\d+)\ndata: (.+)\n\n/g)].map(([, id, data]) => ({
    id,
    ...(JSON.parse(data ?? '') as { session_id: string; reason: string }),
  }));

describe.each(['/api/v1/sessions/stream', '/sessions/stream'])('%s', (path) => {
  it('tells as server-sent events which session ended', async () => {
    const listener = await signIn(house, 'orgadmin@acme.test', 'ACME');
    const other = await signIn(house, 'orgadmin@acme.test', 'ACME');
    const stream = await open(listener, undefined, path);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');

    await logOut(other);

    expect(events(await stream.until('session_revoked'))).toMatchObject([
      { session_id: sessionOf(other), reason: 'logout' },
    ]);
    stream.leave();
  });
});

describe('the subscription sessionRevoked', () => {
  it('tells the same over graphql-transport-ws, and replays what came after an id', async () => {
    const listener = await signIn(house, 'admin@foyer.test', 'PLATFORM');
    const others = [
      await signIn(house, 'admin@foyer.test', 'PLATFORM'),
      await signIn(house, 'admin@foyer.test', 'PLATFORM'),
    ] as const;
    const stream = await open(listener);
    const [, after] = (await stream.until(/id: \d+\n\n/)).match(/id: (\d+)\n\n/) ?? [];
    stream.leave();
    await logOut(others[0]);
    const client = createClient({
      url: `${house.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: listener.headers,
    });
    const query = 'subscription ($after: ID) { sessionRevoked(after: $after) { id sessionId reason } }';
    const news = client.iterate<{ sessionRevoked: { sessionId: string } }>({ query, variables: { after } });

    const heard = [await news.next()];
    await logOut(others[1]);
    heard.push(await news.next());
    await client.dispose();

    expect(heard.map(({ value }) => value?.data?.sessionRevoked.sessionId)).toEqual(others.map(sessionOf));
  });
});

describe('the session stream', () => {
  it('replays what was missed, by the id that every client gets at once', async () => {
    const listener = await signIn(house, 'member@acme.test', 'ACME');
    const others = [
      await signIn(house, 'member@acme.test', 'ACME'),
      await signIn(house, 'member@acme.test', 'ACME'),
    ] as const;
    const stream = await open(listener);
    const [, position] = (await stream.until(/id: \d+\n\n/)).match(/id: (\d+)\n\n/) ?? [];
    stream.leave();
    await logOut(others[0]);
    await logOut(others[1]);

    const again = await open(listener, position);
    await again.until(String(sessionOf(others[1])));
    expect(events(again.text()).map(({ session_id }) => session_id)).toEqual(others.map(sessionOf));
    again.leave();

    const last = await open(listener, events(again.text())[0]?.id);
    await last.until('session_revoked');
    expect(events(last.text()).map(({ session_id }) => session_id)).toEqual([sessionOf(others[1])]);
    last.leave();
  });

  it('begins now with an id from the future', async () => {
    const listener = await signIn(house, 'member@acme.test', 'ACME');
    const [before, other] = [
      await signIn(house, 'member@acme.test', 'ACME'),
      await signIn(house, 'member@acme.test', 'ACME'),
    ];
    await logOut(before);
    const stream = await open(listener, '999999999999999999');
    await stream.until(/id: \d{1,17}\n\n/);
    await logOut(other);
    await stream.until('session_revoked');
    expect(events(stream.text()).map(({ session_id }) => session_id)).toEqual([sessionOf(other)]);
    stream.leave();
  });

  it('beats, so that no proxy takes it for dead', async () => {
    const stream = await open(await signIn(house, 'member@acme.test', 'ACME'));
    expect(await stream.until(/: alive\n\n: alive\n\n/)).toContain('retry:');
    stream.leave();
  });

  it('ends after its own session has', async () => {
    const listener = await signIn(house, 'viewer@acme.test', 'ACME');
    const stream = await open(listener);
    await stream.until('retry:');
    await logOut(listener);
    expect(await stream.ended).toBe('ended');
    expect(events(stream.text())).toMatchObject([{ session_id: sessionOf(listener), reason: 'logout' }]);
  });

  it('ends when the token expires', async () => {
    const { how, at } = await leftAlone.end;
    expect(how).toBe('ended');
    expect(Math.abs(at - leftAlone.expiry)).toBeLessThan(2);
  }, 45_000);

  it('answers 400 to a Last-Event-ID that is none, and 401 without a token', async () => {
    const { headers } = await signIn(house, 'viewer@acme.test', 'ACME');
    const odd = await send(house, 'GET', '/sessions/stream', { headers: { ...headers, 'last-event-id': 'yesterday' } });
    expect([odd.status, odd.json.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await send(house, 'GET', '/sessions/stream')).status).toBe(401);
  });

  it('does not keep the house from closing', async () => {
    const stream = await open(await signIn(house, 'orgadmin@acme.test', 'ACME'));
    await stream.until('retry:');
    const { code, ms } = await house.stop();
    expect([code, ms < 10_000]).toEqual([0, true]);
    expect(await stream.ended).toBe('ended');
  });
});
