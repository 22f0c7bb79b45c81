import { createClient } from 'graphql-ws';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { createOrganization, type OrganizationFixture, type LoggedIn } from '../../support/fixtures/organization.ts';
import { send } from '../../support/fixtures/people.ts';
import { openSessionStream, type StreamFrom } from '../../support/session-stream.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';

let server: SharedServer;
let organization: OrganizationFixture;

beforeAll(async () => {
  server = await sharedServer();
  organization = await createOrganization(server);
});

let count = 0;

/** A person who has logged in three times. */
async function threeSessions(): Promise<[LoggedIn, LoggedIn, LoggedIn]> {
  const name = `person${(count += 1)}`;
  return [await organization.join(name), await organization.again(name), await organization.again(name)];
}

const sessionOf = ({ access_token }: LoggedIn) => decodeJwt(access_token)['sid'];
const open = (who: LoggedIn, from?: StreamFrom) => openSessionStream(server, who, from);
const logOut = ({ headers }: LoggedIn) => send(server, 'POST', '/api/v1/logout', { headers });

const events = (text: string) =>
  [...text.matchAll(/event: session_revoked\nid: (\d+)\ndata: (.+)\n\n/g)].map(([, id, data]) => ({
    id,
    ...(JSON.parse(data ?? '') as { session_id: string; reason: string }),
  }));

describe.each(['/api/v1/sessions/stream', '/sessions/stream'])('%s', (path) => {
  it('reports as server-sent events which session ended', async () => {
    const [listener, other] = await threeSessions();
    const stream = await open(listener, { path });
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
  it('reports the same over graphql-transport-ws, and replays the events after an id', async () => {
    const [listener, ...others] = await threeSessions();
    const stream = await open(listener);
    const [, after] = (await stream.until(/id: \d+\n\n/)).match(/id: (\d+)\n\n/) ?? [];
    stream.leave();
    await logOut(others[0]);
    const client = createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: listener.headers,
    });
    const query = 'subscription ($after: ID) { sessionRevoked(after: $after) { id sessionId reason } }';
    const events = client.iterate<{ sessionRevoked: { sessionId: string } }>({ query, variables: { after } });

    const heard = [await events.next()];
    await logOut(others[1]);
    heard.push(await events.next());
    await client.dispose();

    expect(heard.map(({ value }) => value?.data?.sessionRevoked.sessionId)).toEqual(others.map(sessionOf));
  });
});

describe('the session stream', () => {
  it('replays what was missed, by the id that every client gets at once', async () => {
    const [listener, ...others] = await threeSessions();
    const stream = await open(listener);
    const [, position] = (await stream.until(/id: \d+\n\n/)).match(/id: (\d+)\n\n/) ?? [];
    stream.leave();
    await logOut(others[0]);
    await logOut(others[1]);

    const again = await open(listener, { lastEventId: position });
    await again.until(String(sessionOf(others[1])));
    expect(events(again.text()).map(({ session_id }) => session_id)).toEqual(others.map(sessionOf));
    again.leave();

    const last = await open(listener, { lastEventId: events(again.text())[0]?.id });
    await last.until('session_revoked');
    expect(events(last.text()).map(({ session_id }) => session_id)).toEqual([sessionOf(others[1])]);
    last.leave();
  });

  it('begins now with an id from the future', async () => {
    const [listener, before, other] = await threeSessions();
    await logOut(before);
    const stream = await open(listener, { lastEventId: '999999999999999999' });
    await stream.until(/id: \d{1,17}\n\n/);
    await logOut(other);
    await stream.until('session_revoked');
    expect(events(stream.text()).map(({ session_id }) => session_id)).toEqual([sessionOf(other)]);
    stream.leave();
  });

  it('sends heartbeats, so that no proxy closes it', async () => {
    const stream = await open(organization.admin);
    expect(await stream.until(/: alive\n\n: alive\n\n/)).toContain('retry:');
    stream.leave();
  });

  it('ends after its own session has', async () => {
    const [listener] = await threeSessions();
    const stream = await open(listener);
    await stream.until('retry:');
    await logOut(listener);
    expect(await stream.ended).toBe('ended');
    expect(events(stream.text())).toMatchObject([{ session_id: sessionOf(listener), reason: 'logout' }]);
  });

  it('answers 400 to an invalid Last-Event-ID, and 401 without a token', async () => {
    const { headers } = organization.admin;
    const odd = await send(server, 'GET', '/sessions/stream', {
      headers: { ...headers, 'last-event-id': 'yesterday' },
    });
    expect([odd.status, odd.json.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await send(server, 'GET', '/sessions/stream')).status).toBe(401);
  });
});
