import { routes } from '@foyer/rest-compat/routes';
import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { errorsOf, exampleCall } from './support/tables/example-calls.ts';
import { idFieldsBelow, idPlaces, type IdPlace } from './support/tables/id-places.ts';
import { alike, changedAt, misspelled } from './support/tables/id-spellings.ts';
import type { Json } from './support/json.ts';
import { requestOf, routeOf, sendRequest } from './support/tables/id-requests.ts';
import { graphql } from './support/fixtures/people.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';
import { idFor, openTwin, type Twin } from './support/twins.ts';

let db: PrismaClient;
let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
  db = openDatabase(server.databaseUrl);
});

afterAll(() => db.$disconnect());

// ─── GraphQL ─────────────────────────────────────────────────────────────────────────────────────

const fields = [...new Map(idPlaces.map((place) => [`${place.type} ${place.name}`, place])).values()];
const placesOf = ({ type, name }: IdPlace) => idPlaces.filter((each) => each.type === type && each.name === name);

/** A call with the ids of a twin at each place that takes an id. */
function callOf(field: IdPlace, twin: Twin) {
  const places = placesOf(field);
  const known: Record<string, unknown> = {
    [`${field.name}.origins`]: [{ streamerId: twin.shared.streamer, ingestUrl: 'udp://239.0.0.1:1234' }],
    [`${field.name}.sourceType`]: 'udp',
    [`${field.name}.permissions`]: [],
    // Unique among all organizations.
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
  const [error] = errorsOf({ data, errors });
  if (!error)
    return { outcome: Object.values(data ?? {}).every((value) => value === null) ? 'NOT_FOUND' : 'done', data };
  return { outcome: [error.extensions.code, error.extensions.reason].filter(Boolean).join(' ') };
}

const ask = async ({ query, variables }: ReturnType<typeof exampleCall>, { headers }: Twin) =>
  outcomeOf(await graphql(server, query, variables, headers));

/** The first message of a stream; an admitted caller waits for events. */
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
/** The most destructive calls come last. */
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
    [plain, capitals] = [await openTwin(server, db), await openTwin(server, db)];
  });

  it('is of a root field', () => {
    expect(idFieldsBelow).toEqual([]);
    expect(idPlaces.length).toBeGreaterThan(180);
  });

  /** A caller who is not admitted learns nothing of ids. */
  const isRefusedAnyway = async (place: IdPlace, outcome: string) =>
    /^(FORBIDDEN|UNAUTHENTICATED)\b/.test(outcome) && (await ask(callOf(place, plain), plain)).outcome === outcome;

  it('refuses a UUID in braces, as a URN or without hyphens, and a number in another spelling', async () => {
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
  });

  it('accepts a UUID in capitals like one in small letters, and a number with leading zeros like one without', async () => {
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
  });
});

// ─── REST ────────────────────────────────────────────────────────────────────────────────────────

const documented = routes
  .filter(({ row }) => row !== undefined) // stubs answer 501
  .map(routeOf)
  // A node answers for itself; a code is not an id.
  .filter((route) => !/company-codes|\/ping$/.test(route));
/** The most destructive calls come last. */
function restHarm(route: string): number {
  if (/\/(orgs|organizations)\/:\w+(\/status)?$/.test(route) && !route.startsWith('GET')) return 3;
  return route.startsWith('DELETE') ? 2 : Number(!route.startsWith('GET'));
}

describe('every REST route that takes an id', () => {
  let plain: Twin;
  let capitals: Twin;
  beforeAll(async () => {
    [plain, capitals] = [await openTwin(server, db), await openTwin(server, db)];
  });

  const withIds = () => documented.filter((route) => Object.keys(requestOf(route, plain).ids).length > 0);

  it('answers 400 or 404 to a UUID in braces, as a URN or without hyphens, and to a number in another spelling', async () => {
    await plain.restore();
    const tried = await inBatches(withIds(), async (route) => {
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
  });

  it('accepts a UUID in capitals like one in small letters, and a number with leading zeros like one without', async () => {
    expect(withIds().length).toBeGreaterThan(100);
    const wrong: unknown[] = [];
    let done = 0;
    for (const route of withIds().toSorted((one, other) => restHarm(one) - restHarm(other))) {
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
  });
});
