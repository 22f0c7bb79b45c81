import { bodyExamples } from '@foyer/rest-compat/examples';
import { routes } from '@foyer/rest-compat/routes';
import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { belongingsOf, type Belongings, type Thing } from './support/belongings.ts';
import { belongsTo } from './support/belongs-to.ts';
import { exampleCall } from './support/example-calls.ts';
import { closeHouse, openHouse, type House } from './support/house.ts';
import { idFieldsBelow, idPlaces, type IdPlace } from './support/id-places.ts';
import { alike, changedAt, misspelled } from './support/id-spellings.ts';
import type { Json } from './support/json.ts';
import { INTERNAL_PSK, openOffice } from './support/office.ts';
import { graphql, send } from './support/people.ts';
import { furnish } from './support/place.ts';

/** One of two organizations that have the same: the one is asked by the ids as they are, the other by other spellings. */
interface Twin {
  belongings: Belongings;
  /** Puts back what a call has changed or removed, but for the organization. */
  restore(): Promise<void>;
  headers: Record<string, string>;
}

let database: TestDatabase;
let db: PrismaClient;
let server: House;
let shared: { ladder: string; streamer: string };

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  server = await openHouse({ LOGIN_FLOOR_MS: '50', INTERNAL_PSK, DATABASE_URL: database.url, REST_RATE_LIMITS: 'off' });
  const [ladder, streamer] = [await db.transcodingProfile.findFirstOrThrow(), await db.streamer.findFirstOrThrow()];
  shared = { ladder: String(ladder.id), streamer: String(streamer.id) };
}, 180_000);

afterAll(async () => {
  await closeHouse(server);
  await db.$disconnect();
  await database.drop();
});

/** An organization whose owner owns the platform, too. */
async function openTwin(): Promise<Twin> {
  const { id, workspaceId, admin } = await openOffice(server);
  const owner = { role: 'ORG_OWNER', roleId: 'ORG_OWNER' };
  await db.organizationMember.updateMany({ where: { userId: admin.id }, data: owner });
  await db.platformMember.create({ data: { userId: admin.id, roleId: 'PLATFORM_OWNER' } });
  const belongings = await belongingsOf(db, await furnish(db, id, workspaceId), admin.id);
  const isThere = async () => (await db.organization.count({ where: { id } })) > 0;
  return {
    belongings,
    headers: admin.headers,
    restore: async () => void ((await isThere()) && (await belongings.restore())),
  };
}

// ─── what an id is of ────────────────────────────────────────────────────────────────────────────

const byLeaf: Readonly<Record<string, Thing>> = {
  organizationId: 'organization',
  workspaceId: 'workspace',
  userId: 'user',
  teamId: 'team',
  roleId: 'workspace role',
  profileId: 'e-mail profile',
  custId: 'customer',
  ticketGroupId: 'ticket group',
  targetGroupId: 'target group',
  channelId: 'channel',
  mediaId: 'media',
};

const byField: Readonly<Record<string, Thing>> = {
  user: 'user',
  authOrganization: 'organization',
  organization: 'organization',
  workspace: 'workspace',
  media: 'media',
  channel: 'channel',
  setCustomerDisabled: 'customer',
};

/** What the places of which no organization has its own take. */
function commonId(name: string, leaf: string): string {
  if (leaf === 'appIds') return 'ticketing';
  if (leaf === 'transcodingProfileId') return shared.ladder;
  if (leaf === 'streamerId' || /streamer/i.test(name)) return shared.streamer;
  return '7'; // a node, an event or an order that is not there
}

function idFor({ name, path }: IdPlace, { belongings: { ids } }: Twin): string {
  const leaf = path.at(-1) ?? '';
  const thing = belongsTo.get([name, ...path].join('.')) as Thing | undefined;
  if (thing && thing in ids) return ids[thing];
  const other = (leaf === 'id' && byField[name]) || byLeaf[leaf];
  return other ? ids[other] : commonId(name, leaf);
}

// ─── GraphQL ─────────────────────────────────────────────────────────────────────────────────────

const fields = [...new Map(idPlaces.map((place) => [`${place.type} ${place.name}`, place])).values()];
const placesOf = ({ type, name }: IdPlace) => idPlaces.filter((each) => each.type === type && each.name === name);

/** A call that names what a twin has at each place that takes an id. */
function callOf(field: IdPlace, twin: Twin) {
  const places = placesOf(field);
  const known: Record<string, unknown> = {
    [`${field.name}.origins`]: [{ streamerId: shared.streamer, ingestUrl: 'udp://239.0.0.1:1234' }],
    [`${field.name}.sourceType`]: 'udp',
    [`${field.name}.permissions`]: [],
    // Taken once, whoever has it.
    [`${field.name}.tenant`]: `tenant-${twin.belongings.ids['ticket group']}`,
    [`${field.name}.itemId`]: `item-${twin.belongings.ids['ticket group']}`,
  };
  for (const place of places) {
    const [first = '', ...rest] = place.path;
    const id = idFor(place, twin);
    const leaf = rest.at(-1) ?? first;
    known[`${field.name}.${leaf}`] = leaf.endsWith('Ids') ? [id] : id;
    if (first === 'filter') known[`${field.name}.filter`] = { [leaf]: id };
  }
  return exampleCall(field, known);
}

type Outcome = { outcome: string; data?: unknown };

function outcomeOf({ data, errors }: Json): Outcome {
  const [error] = (errors ?? []) as { extensions: { code: string; reason?: string } }[];
  if (!error)
    return { outcome: Object.values(data ?? {}).every((value) => value === null) ? 'NOT_FOUND' : 'done', data };
  return { outcome: [error.extensions.code, error.extensions.reason].filter(Boolean).join(' ') };
}

const ask = async ({ query, variables }: ReturnType<typeof exampleCall>, { headers }: Twin) =>
  outcomeOf(await graphql(server, query, variables, headers));

/** The first that a stream says; whoever is let in waits for news. */
async function listen({ query, variables }: ReturnType<typeof exampleCall>, twin: Twin): Promise<Outcome> {
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: twin.headers,
  });
  const { value } = await client.iterate({ query, variables }).next();
  await client.dispose();
  return outcomeOf(value);
}

const unknown = /^(BAD_USER_INPUT|NOT_FOUND)\b/;
/** What destroys most comes last. */
const harm = (name: string) =>
  ['delete', 'remove', 'deleteWorkspace', 'setOrganizationStatus', 'deleteOrganization'].findLastIndex((word) =>
    name.startsWith(word),
  );
const byHarm = (one: IdPlace, other: IdPlace) => harm(one.name) - harm(other.name);

async function inBatches<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += 10)
    results.push(...(await Promise.all(items.slice(at, at + 10).map(run))).flat());
  return results;
}

describe('every argument of GraphQL that takes an id', () => {
  let plain: Twin;
  let capitals: Twin;
  beforeAll(async () => {
    [plain, capitals] = [await openTwin(), await openTwin()];
  }, 60_000);

  it('is of a root field', () => {
    expect(idFieldsBelow).toEqual([]);
    expect(idPlaces.length).toBeGreaterThan(180);
  });

  /** Whoever is not let in is told nothing of ids. */
  const isRefusedAnyway = async (place: IdPlace, outcome: string) =>
    /^(FORBIDDEN|UNAUTHENTICATED)\b/.test(outcome) && (await ask(callOf(place, plain), plain)).outcome === outcome;

  it('takes no UUID in braces, as a URN or without hyphens, and no number that is written otherwise', async () => {
    await plain.restore();
    const tried = await inBatches(idPlaces, async (place) => {
      const call = callOf(place, plain);
      const answers = [];
      for (const spelling of misspelled(idFor(place, plain))) {
        const variables = changedAt(call.variables, place.path, () => spelling) as Record<string, unknown>;
        const { outcome } = await (place.type === 'Subscription' ? listen : ask)({ ...call, variables }, plain);
        if (!unknown.test(outcome) && !(await isRefusedAnyway(place, outcome)))
          answers.push({ place: [place.name, ...place.path].join('.'), spelling, outcome });
      }
      return answers;
    });
    expect(tried).toEqual([]);
  }, 240_000);

  it('takes a UUID in capitals like one in small letters, and a number with zeros before it like one without', async () => {
    const wrong: unknown[] = [];
    let done = 0;
    for (const field of fields.filter(({ type }) => type !== 'Subscription').toSorted(byHarm)) {
      if (field.type === 'Mutation') await Promise.all([plain.restore(), capitals.restore()]);
      const expected = await ask(callOf(field, plain), plain);
      const call = callOf(field, capitals);
      const variables = placesOf(field).reduce<unknown>((all, { path }) => changedAt(all, path, alike), call.variables);
      const { outcome } = await ask({ ...call, variables: variables as Record<string, unknown> }, capitals);
      if (expected.outcome === 'done') done += 1;
      if (outcome !== expected.outcome)
        wrong.push({ field: field.name, outcome, expected: expected.outcome, variables });
    }
    expect(wrong).toEqual([]);
    expect(done).toBeGreaterThan(75);
  }, 240_000);
});

// ─── REST ────────────────────────────────────────────────────────────────────────────────────────

const ofRole = /\/roles\/:id/;
const ofPerson = /\/internal\/users\/:id/;
const ofOrganization = /\/orgs\/:id/;

/** What a parameter of a path names. */
function idInPath(url: string, name: string, { belongings: { ids } }: Twin): string {
  const byName: Record<string, string> = {
    orgId: ids.organization,
    wid: ids.workspace,
    workspaceId: ids.workspace,
    uid: ids.user,
    tid: ids.team,
    profileId: ids['e-mail profile'],
    campaignId: ids.campaign,
  };
  if (name !== 'id') return byName[name] ?? '';
  if (ofRole.test(url)) return ids['workspace role'];
  if (ofPerson.test(url)) return ids.user;
  if (ofOrganization.test(url)) return ids.organization;
  if (url.includes('/sessions/')) return ids.session;
  return url.includes('/streamers/') ? shared.streamer : ids.media;
}

/** What a header, a part of a query or of a body names. */
function idNamed(route: string, name: string, { belongings: { ids } }: Twin): string | undefined {
  const byName: Record<string, string> = {
    'x-organization-id': ids.organization,
    'x-workspace-id': ids.workspace,
    org_id: ids.organization,
    organization_id: ids.organization,
    workspaceId: ids.workspace,
    workspace_id: ids.workspace,
    user_id: ids.user,
    profile_id: ids['e-mail profile'],
    custId: ids.customer,
    targetGroupId: ids['target group'],
    ticketGroupId: ids['ticket group'],
    advertisingTicketId: ids['advertising ticket'],
    railMenuId: ids['rail menu'],
    notificationId: ids.notification,
    streamerId: shared.streamer,
    id: route.endsWith('/organizations') ? ids.organization : ids.user,
  };
  return byName[name];
}

/** A request, with its ids apart, by the names of their places. */
interface Request {
  route: string;
  ids: Record<string, string>;
}

const routeOf = ({ method, url }: (typeof routes)[number]) => `${String(method)} ${url}`;
const inBody = (value: unknown): string[] =>
  value && typeof value === 'object'
    ? Object.entries(value).flatMap(([name, inner]) => (typeof inner === 'object' ? inBody(inner) : [name]))
    : [];
const bodyOf = (route: string): unknown => bodyExamples[route.replaceAll(/:(\w+)/g, '{$1}')];
const scoped = /^\w+ \/(api\/media(?!\/(transcoding|prefix))|channels)/;

function requestOf(route: string, twin: Twin): Request {
  const [, url = ''] = route.split(' ');
  const ids: Record<string, string> = {};
  for (const [, name = ''] of url.matchAll(/:(\w+)/g))
    if (idInPath(url, name, twin)) ids[`path ${name}`] = idInPath(url, name, twin);
  const named = {
    header: url.includes('/campaigns') ? ['x-organization-id', 'x-workspace-id'] : [],
    query: [
      ...(scoped.test(route) ? ['workspaceId'] : []),
      ...(ofPerson.test(url) ? ['org_id'] : []),
      ...(/\/customer/.test(url) ? ['custId'] : []),
    ],
    body: inBody(bodyOf(route)),
  };
  for (const [place, names] of Object.entries(named))
    for (const name of names) {
      const id = idNamed(route, name, twin);
      if (id) ids[`${place} ${name}`] = id;
    }
  return { route, ids };
}

/** Sends it. A body is that of the document of the routes, with these ids. */
async function sendRequest({ route, ids }: Request, { belongings, headers }: Twin): Promise<string> {
  const [method = '', url = ''] = route.split(' ');
  const at = (place: string) =>
    Object.fromEntries(
      Object.entries(ids)
        .filter(([name]) => name.startsWith(`${place} `))
        .map(([name, id]) => [name.slice(place.length + 1), id]),
    );
  const inPath = at('path');
  const path = url.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(inPath[name] ?? 'user_invite'));
  const query = new URLSearchParams(at('query'));
  // Taken once, whoever has it.
  const address = `${belongings.ids.team}-${method.toLowerCase()}@spelling.test`;
  const names: Record<string, string> = { username: address, email: address, name: `Of ${belongings.ids.team}` };
  const withIds = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(withIds)
      : value && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value).map(([name, inner]) => [
              name,
              typeof inner === 'object' ? withIds(inner) : (at('body')[name] ?? names[name] ?? inner),
            ]),
          )
        : value;
  const body = withIds(bodyOf(route));
  const who = url.includes('/internal/') ? { 'x-internal-token': INTERNAL_PSK } : headers;
  const { status, json } = await send(server, method, `${path}${query.size > 0 ? `?${query.toString()}` : ''}`, {
    headers: { ...who, ...at('header') },
    ...(body !== undefined && { body }),
  });
  return `${status} ${String(json?.code ?? '')}`.trim();
}

const documented = routes
  .filter(({ row }) => row !== undefined) // what exists in name only answers 501
  .map(routeOf)
  // A node answers for itself; a code is no id.
  .filter((route) => !/company-codes|\/ping$/.test(route));
/** What destroys most comes last. */
function restHarm(route: string): number {
  if (/\/(orgs|organizations)\/:\w+(\/status)?$/.test(route) && !route.startsWith('GET')) return 3;
  return route.startsWith('DELETE') ? 2 : Number(!route.startsWith('GET'));
}

describe('every REST route that takes an id', () => {
  let plain: Twin;
  let capitals: Twin;
  beforeAll(async () => {
    [plain, capitals] = [await openTwin(), await openTwin()];
  }, 60_000);

  const asked = () => documented.filter((route) => Object.keys(requestOf(route, plain).ids).length > 0);

  it('answers 400 or 404 to a UUID in braces, as a URN or without hyphens, and to a number that is written otherwise', async () => {
    await plain.restore();
    const tried = await inBatches(asked(), async (route) => {
      const answers: { route: string; place: string; spelling: string; answer: string }[] = [];
      const { ids } = requestOf(route, plain);
      for (const [place, id] of Object.entries(ids))
        for (const spelling of misspelled(id)) {
          const answer = await sendRequest({ route, ids: { ...ids, [place]: spelling } }, plain);
          answers.push({ route, place, spelling, answer });
        }
      return answers;
    });
    expect(tried.filter(({ answer }) => !/^40[04]\b/.test(answer))).toEqual([]);
  }, 240_000);

  it('takes a UUID in capitals like one in small letters, and a number with zeros before it like one without', async () => {
    expect(asked().length).toBeGreaterThan(100);
    const wrong: unknown[] = [];
    let done = 0;
    for (const route of asked().toSorted((one, other) => restHarm(one) - restHarm(other))) {
      if (!route.startsWith('GET')) await Promise.all([plain.restore(), capitals.restore()]);
      const expected = await sendRequest(requestOf(route, plain), plain);
      const { ids } = requestOf(route, capitals);
      const spelled = Object.fromEntries(Object.entries(ids).map(([place, id]) => [place, alike(id)]));
      const answer = await sendRequest({ route, ids: spelled }, capitals);
      if (expected.startsWith('2')) done += 1;
      if (answer !== expected) wrong.push({ route, answer, expected });
    }
    expect(wrong).toEqual([]);
    expect(done).toBeGreaterThan(60);
  }, 240_000);
});
