import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { rootFields } from '../../support/tables/access-rules.ts';
import { accessIn, type Access } from '../../support/tables/access.ts';
import { belongingsOf, type Belongings } from '../../support/fixtures/belongings.ts';
import { exampleCall } from '../../support/tables/example-calls.ts';
import { createOrganization, type OrganizationFixture, type LoggedIn } from '../../support/fixtures/organization.ts';
import { send } from '../../support/fixtures/people.ts';
import { furnish, type FurnishedOrganization } from '../../support/fixtures/furnished-organization.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';

const subscriptions = rootFields.filter(({ type }) => type === 'Subscription');

let count = 0;
let db: PrismaClient;
let server: SharedServer;
let organization: OrganizationFixture;
let access: Access;
let place: FurnishedOrganization;
let belongings: Belongings;

beforeAll(async () => {
  server = await sharedServer('strict'); // where only a loss of rights ends a stream
  db = openDatabase(server.databaseUrl);
  organization = await createOrganization(server);
  access = accessIn(server, organization);
  place = await furnish(db, organization.id, organization.workspaceId);
  belongings = await belongingsOf(db, place, organization.admin.id);
  const media = { id: Number(belongings.ids.media) };
  await db.media.update({
    where: media,
    data: { transcodingStage: 'transcode', attemptSeenAt: new Date('2040-01-01') },
  });
  const origin = {
    streamerId: (await db.streamer.findFirstOrThrow({ orderBy: { id: 'asc' } })).id,
    streamId: 'x',
    playbackUrl: 'x',
  };
  await db.channelOrigin.create({ data: { ...origin, channelId: Number(belongings.ids.channel) } });
});

afterAll(() => db.$disconnect());

/** A person with every permission in the workspace. */
async function somebody(): Promise<LoggedIn> {
  const person = await organization.join(`person${(count += 1)}`);
  await access.directly(organization.workspaceId, person, 'WORKSPACE_ADMIN');
  return person;
}

/** Causes an event for each subscription that does not yield one at once. */
const push: Readonly<Record<string, (who: LoggedIn) => Promise<unknown>>> = {
  mediaChanged: () =>
    db.media.updateMany({
      where: { workspaceId: organization.workspaceId },
      data: { title: `Pushed ${(count += 1)}` },
    }),
  notificationAdded: () => db.notification.create({ data: { ...notification, organizationId: organization.id } }),
  sessionRevoked: async ({ id }) => {
    const payload = { session_id: '0a0c0000-0000-4000-8000-0000000000ff', reason: 'logout' };
    await db.authOutbox.create({ data: { topic: 'session_revoked', userId: id, payload } });
    await db.$executeRaw`SELECT pg_notify('foyer_sessions', ${id})`;
  },
};
const notification = {
  performedBy: 'system',
  authorityLevel: 'system',
  type: 'Report',
  title: 'Pushed',
  message: 'Pushed',
  date: '01-01-2030 00:00:00',
};

/** A stream that has begun, after its first event. */
async function begun(field: string, who: LoggedIn) {
  const known = {
    ...place.known,
    orderNo: belongings.ids.order,
    'nodeStatusChanged.workspaceId': organization.workspaceId,
  };
  const { query, variables } = exampleCall({ type: 'Subscription', name: field }, { ...known, dates: ['2030-01-01'] });
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: who.headers,
  });
  const heard: string[] = [];
  const ended = new Promise<string>((resolve) => {
    const last = { reason: 'complete' };
    client.subscribe(
      { query, variables },
      {
        next({ errors }) {
          const reason = errors?.[0]?.extensions?.['reason'];
          if (typeof reason === 'string') last.reason = reason;
          else heard.push(field);
        },
        error: (error) => resolve(String((error as { reason?: string }).reason ?? error)),
        complete: () => resolve(last.reason),
      },
    );
  });
  await expect.poll(async () => heard.length || push[field]?.(who).then(() => heard.length)).toBeGreaterThan(0);
  return { ended, heard, leave: () => client.dispose() };
}

/** A viewer who gets an event at that moment may be refused instead. */
const refused = /^(RIGHTS_CHANGED|TOKEN_REVOKED|FORBIDDEN|\w+_NOT_FOUND)$/;

const users = (who: LoggedIn) => `/users/${who.id}`;
const inWorkspace = (who: LoggedIn) => `/workspaces/${organization.workspaceId}/members/${who.id}`;

describe('every subscription', () => {
  it.each(subscriptions.map(({ name }) => name))('%s ends when its viewer loses a right', async (field) => {
    await belongings.restore();
    const who = await somebody();
    const stream = await begun(field, who);
    expect((await access.asAdmin('DELETE', inWorkspace(who))).status).toBe(200);
    // The stream of one's own sessions has nothing to refuse.
    expect(await stream.ended).toMatch(field === 'sessionRevoked' ? 'complete' : refused);
    await stream.leave();
  });
});

describe('a stream', () => {
  const teamWith = async (who: LoggedIn, role: string) => {
    const team = await access.aTeam();
    await access.intoTeam(team, who);
    await access.grant(team, organization.workspaceId, role);
    return team;
  };
  const throughATeam = async () => {
    const who = await organization.join(`person${(count += 1)}`);
    return { who, team: await teamWith(who, 'WORKSPACE_MEMBER') };
  };
  const custom = (permissions: string[], name: string) => ({ name, scope: 'workspace', permissions });

  /** For each way: the holder of a right, and how they lose it. */
  const losses: Readonly<Record<string, () => Promise<[LoggedIn, () => ReturnType<Access['asAdmin']>]>>> = {
    'a lower role in the workspace': async () => {
      const who = await somebody();
      return [who, () => access.asAdmin('PATCH', inWorkspace(who), { role: 'VIEWER' })];
    },
    'leaving the team': async () => {
      const { who, team } = await throughATeam();
      return [who, () => access.asAdmin('DELETE', `/teams/${team}/members/${who.id}`)];
    },
    'a lower role of the team': async () => {
      const { who, team } = await throughATeam();
      return [
        who,
        () => access.asAdmin('PATCH', `/teams/${team}/workspaces/${organization.workspaceId}`, { role: 'VIEWER' }),
      ];
    },
    'the end of the grant to the team': async () => {
      const { who, team } = await throughATeam();
      return [who, () => access.asAdmin('DELETE', `/teams/${team}/workspaces/${organization.workspaceId}`)];
    },
    'the end of the team': async () => {
      const { who, team } = await throughATeam();
      return [who, () => access.asAdmin('DELETE', `/teams/${team}`)];
    },
    'a custom role that grants less': async () => {
      const name = `Watcher ${(count += 1)}`;
      const role = await access.made('/roles', custom(['media:view', 'campaign:view'], name));
      const who = await organization.join(`person${(count += 1)}`);
      await access.directly(organization.workspaceId, who, role);
      return [who, () => access.asAdmin('PATCH', `/roles/${role}`, { permissions: ['campaign:view'] })];
    },
    'another role in the organization': async () => {
      const who = await somebody();
      return [who, () => access.asAdmin('PATCH', `${users(who)}/role`, { role: 'ORG_OPERATOR' })];
    },
    'being disabled': async () => {
      const who = await somebody();
      return [who, () => access.asAdmin('PATCH', `${users(who)}/status`, { status: 'disabled' })];
    },
    'being removed': async () => {
      const who = await somebody();
      return [who, () => access.asAdmin('DELETE', users(who))];
    },
    'the end of the session': async () => {
      const who = await somebody();
      return [who, () => send(server, 'POST', '/api/v1/logout', { headers: who.headers })];
    },
  };

  it.each(Object.entries(losses))('ends by %s', async (_how, prepare) => {
    const [who, lose] = await prepare();
    const stream = await begun('mediaChanged', who);
    expect((await lose()).status).toBe(200);
    expect(await stream.ended).toMatch(refused);
    await stream.leave();
  });

  it('ends by the end of the workspace', async () => {
    const workspaceId = await access.aWorkspace();
    const stream = await begun('availabilityChanged', organization.admin);
    expect((await access.asAdmin('DELETE', `/workspaces/${workspaceId}`)).status).toBe(200);
    expect(await stream.ended).toBe('RIGHTS_CHANGED');
    await stream.leave();
  });

  it('goes on when others lose a right, and when its viewer gains one', async () => {
    const [who, other] = [await somebody(), await somebody()];
    const stream = await begun('mediaChanged', who);
    const before = stream.heard.length;
    expect((await access.asAdmin('DELETE', inWorkspace(other))).status).toBe(200);
    expect((await access.directly(await access.aWorkspace(), who)).status).toBe(201);
    await expect.poll(async () => push['mediaChanged']?.(who).then(() => stream.heard.length)).toBeGreaterThan(before);
    await stream.leave();
  });
});

describe('the session stream of REST', () => {
  /** Resolves when the head is there; `text` resolves when the stream has ended. */
  const open = ({ headers }: LoggedIn) => fetch(new URL('/api/v1/sessions/stream', server.url), { headers });

  it('reports the end of its session, and ends', async () => {
    const who = await somebody();
    const stream = await open(who);
    expect((await access.asAdmin('PATCH', `${users(who)}/status`, { status: 'disabled' })).status).toBe(200);
    expect(await stream.text()).toContain('account_disabled');
  });

  it('ends when its viewer loses a right', async () => {
    const who = await somebody();
    const stream = await open(who);
    expect((await access.asAdmin('DELETE', inWorkspace(who))).status).toBe(200);
    expect(await stream.text()).not.toContain('session_revoked');
  });
});
