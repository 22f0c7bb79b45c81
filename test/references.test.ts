import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { rootFields } from './support/tables/access-rules.ts';
import { belongingsOf, type Belongings } from './support/fixtures/belongings.ts';
import { belongsTo, ofAWorkspace, type BelongsTo } from './support/belongs-to.ts';
import { errorsOf, exampleCall } from './support/tables/example-calls.ts';
import { idArguments, type IdArgument } from './support/tables/id-arguments.ts';
import { legacyToken } from './support/fixtures/legacy-tokens.ts';
import { createOrganization, type OrganizationFixture, type LoggedIn } from './support/fixtures/organization.ts';
import { graphql } from './support/fixtures/people.ts';
import { furnish, type FurnishedOrganization } from './support/fixtures/furnished-organization.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';
import { changedTables, dueJobs, openSnapshots, type Snapshot } from './support/snapshots.ts';
import { UNUSED_ID } from './support/unused-id.ts';

type Headers = Record<string, string>;

const keyOf = ({ mutation, path }: IdArgument) => [mutation, ...path].join('.');
const kindOf = (argument: IdArgument) => belongsTo.get(keyOf(argument));

describe('every id argument of every mutation', () => {
  it('is in the table of owners, and nothing else is', () => {
    expect(idArguments.map(keyOf).toSorted()).toEqual([...belongsTo.keys()].toSorted());
  });
});

/** An unused id, in the form of this kind. */
const numbered =
  /^(media|channel|advertising ticket|rail menu|ticket group|offered group|ticket variant|notification|ladder|streamer)$/;
const missingOf = (kind: BelongsTo) => (numbered.test(kind) ? UNUSED_ID : '0a0c0000-0000-4000-8000-0000000000ff');

describe('a reference to a foreign record', () => {
  let db: PrismaClient;
  let server: SharedServer;
  let organization: OrganizationFixture;
  let mei: LoggedIn;
  let buyer: { headers: Record<string, string> };
  let places: Record<'own' | 'hidden' | 'foreign', { place: FurnishedOrganization; belongings: Belongings }>;
  let shared: Record<'app' | 'ladder' | 'streamer', string>;
  /** The ids of all their records. */
  let ids: string[];
  let snapshot: () => Promise<Snapshot>;

  beforeAll(async () => {
    server = await sharedServer();
    db = openDatabase(server.databaseUrl);
    organization = await createOrganization(server);
    const other = await createOrganization(server);
    mei = await organization.join('mei');
    const hidden = await db.workspace.create({ data: { organizationId: organization.id, name: 'Hidden' } });
    const furnished = async (organizationId: string, workspaceId: string, adminId: string) => {
      const place = await furnish(db, organizationId, workspaceId);
      return { place, belongings: await belongingsOf(db, place, adminId) };
    };
    places = {
      own: await furnished(organization.id, organization.workspaceId, organization.admin.id),
      hidden: await furnished(organization.id, hidden.id, organization.admin.id),
      foreign: await furnished(other.id, other.workspaceId, other.admin.id),
    };
    // Only groups on sale can be ordered, and those by everybody.
    await db.ticketGroup.updateMany({
      where: { workspaceId: { in: [hidden.id, other.workspaceId] } },
      data: { isActive: false },
    });
    const ladder = await db.transcodingProfile.findFirstOrThrow({ orderBy: { id: 'asc' } });
    const streamer = await db.streamer.findFirstOrThrow({ orderBy: { id: 'asc' } });
    shared = { app: 'ticketing', ladder: String(ladder.id), streamer: String(streamer.id) };
    const token = await legacyToken(server, { custId: idOf('customer', 'own'), role: 'CUSTOMER' });
    buyer = { headers: { authorization: `Bearer ${token}` } };
    // Some rows and jobs name nothing but the organization.
    ids = [
      organization.id,
      other.id,
      ...Object.values(places).flatMap(({ belongings }) => Object.values(belongings.ids)),
    ];
    snapshot = await openSnapshots(db, [organization.id, other.id], ids);
  });

  afterAll(() => db.$disconnect());

  const idOf = (kind: BelongsTo, whose: keyof typeof places): string =>
    kind in shared
      ? shared[kind as keyof typeof shared]
      : (places[whose].belongings.ids[kind as keyof Belongings['ids']] ?? places[whose].place.organizationId);

  /** A call with own ids only. */
  function ownCall(mutation: string) {
    const known: Record<string, unknown> = { ...places.own.place.known, ...more(mutation) };
    for (const argument of idArguments.filter((each) => each.mutation === mutation)) {
      const kind = kindOf(argument);
      const leaf = argument.path.at(-1) ?? '';
      if (!kind || kind === 'no reference') continue;
      known[`${mutation}.${leaf}`] = leaf.endsWith('Ids') ? [idOf(kind, 'own')] : idOf(kind, 'own');
    }
    return exampleCall({ type: 'Mutation', name: mutation }, known);
  }

  /** Further arguments, without which a call would be refused before its ids are read. */
  function more(mutation: string): Record<string, unknown> {
    const origins = [{ streamerId: shared.streamer, ingestUrl: 'udp://239.0.0.1:1234' }];
    const order = {
      items: [{ itemId: idOf('item', 'own'), quantityBought: 1 }],
      admitDate: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
      buyerEmail: 'guest@example.test',
      custId: idOf('customer', 'own'),
    };
    const all: Record<string, Record<string, unknown>> = {
      createChannel: { origins, sourceType: 'udp' },
      updateChannel: { origins },
      createOrder: order,
      createFreeOrder: order,
      prepareUpload: { mediaType: 'video', mimeType: 'video/mp4' },
      exportOrders: { filter: { ticketGroupId: idOf('ticket group', 'own') } },
      addTeamMember: { role: 'member' },
      setTeamMemberRole: { role: 'member' },
      setMediaPoster: { atSeconds: null },
      startPayment: { orderNo: idOf('order', 'own') },
    };
    return Object.fromEntries(
      Object.entries(all[mutation] ?? {}).map(([name, value]) => [`${mutation}.${name}`, value]),
    );
  }

  /** The same call, but for one id. */
  function callWith({ mutation, path }: IdArgument, id: string) {
    const { query, variables } = ownCall(mutation);
    const changed = structuredClone(variables);
    let at: unknown = changed;
    for (const step of path.slice(0, -1)) {
      const next = (at as Record<string, unknown>)[step];
      at = Array.isArray(next) ? next[0] : next;
    }
    const holder = at as Record<string, unknown>;
    const leaf = path.at(-1) ?? '';
    if (!(leaf in holder)) throw new Error(`the example of ${mutation} has no ${path.join('.')}`);
    holder[leaf] = Array.isArray(holder[leaf]) ? [id] : id;
    return { query, variables: changed };
  }

  async function outcomeOf(argument: IdArgument, id: string, headers: Headers): Promise<string> {
    const { query, variables } = callWith(argument, id);
    const [error] = errorsOf(await graphql(server, query, variables, headers));
    return error ? `${error.extensions.code} ${error.extensions.reason ?? error.message}` : 'done';
  }

  async function restore() {
    await places.own.belongings.restore();
    const { workspaceId } = organization;
    await db.workspaceMember.createMany({
      data: { workspaceId, userId: mei.id, role: 'WORKSPACE_ADMIN' },
      skipDuplicates: true,
    });
  }

  /** Their existence is no secret: members know the workspaces of their organization, and everybody the groups on sale. */
  const knownTo: Record<'hidden' | 'foreign', ReadonlySet<BelongsTo>> = {
    hidden: new Set<BelongsTo>(['workspace', 'offered group']),
    foreign: new Set<BelongsTo>(['offered group']),
  };

  const callerOf = ({ mutation }: IdArgument) => (/^create(Free)?Order$/.test(mutation) ? buyer : organization.admin);

  const refusals = /^(FORBIDDEN|NOT_FOUND|BAD_USER_INPUT|CONFLICT|BAD_GATEWAY|UNAUTHENTICATED) /;

  interface Answers {
    argument: IdArgument;
    foreign: string;
    missing: string;
  }

  /** Names a foreign record, and then none at all, with own ids everywhere else. */
  async function refer(argument: IdArgument, whose: 'hidden' | 'foreign', headers: Headers) {
    const kind = kindOf(argument) ?? 'no reference';
    const missing = await outcomeOf(argument, missingOf(kind), headers);
    const foreign = kind in shared ? missing : await outcomeOf(argument, idOf(kind, whose), headers);
    return { argument, foreign, missing };
  }

  /** Compares the answers with that to a call with own ids only; returns what is wrong. */
  async function judge({ argument, foreign, missing }: Answers, whose: 'hidden' | 'foreign', headers: Headers) {
    const kind = kindOf(argument) ?? 'no reference';
    await restore();
    const own = /^of (a|the) /.test(kind) ? 'not tested' : await outcomeOf(argument, idOf(kind, 'own'), headers);
    const alike = foreign === missing || knownTo[whose].has(kind);
    const right = refusals.test(foreign) && alike && own !== foreign;
    return right ? [] : [{ argument: keyOf(argument), whose, foreign, missing, own }];
  }

  /** Refers by each of these arguments, and returns those that are not refused as they should be. */
  async function wrongOf(all: readonly IdArgument[], whose: 'hidden' | 'foreign', caller: (of: IdArgument) => Headers) {
    await restore();
    await expect.poll(() => dueJobs(db, ids), { timeout: 120_000 }).toBe(0);
    const before = await snapshot();
    const answers: Answers[] = [];
    for (let at = 0; at < all.length; at += 10) {
      const some = all.slice(at, at + 10).map((argument) => refer(argument, whose, caller(argument)));
      answers.push(...(await Promise.all(some)));
    }
    expect(changedTables(before, await snapshot())).toEqual([]);
    const wrong = [];
    for (const answer of answers) wrong.push(...(await judge(answer, whose, caller(answer.argument))));
    return wrong;
  }

  /** Filters find no foreign records, but are not refused. */
  const filters = new Set(['exportOrders.filter.ticketGroupId']);
  const rows = idArguments.filter((argument) => kindOf(argument) !== 'no reference' && !filters.has(keyOf(argument)));

  it('of another organization is refused as not found, and changes nothing', async () => {
    expect(await wrongOf(rows, 'foreign', (argument) => callerOf(argument).headers)).toEqual([]);
  }, 300_000);

  const decidedInAWorkspace = new Set(
    rootFields.filter(({ access }) => /WORKSPACE|ROLE/.test(access?.to ?? '')).map(({ name }) => name),
  );

  it('of a workspace of the same organization is refused likewise to members without rights there', async () => {
    const inOne = rows.filter((argument) => ofAWorkspace.has(kindOf(argument) ?? 'no reference'));
    const tested = inOne.filter(({ mutation }) => decidedInAWorkspace.has(mutation));
    expect(tested.length).toBeGreaterThan(30);
    expect(await wrongOf(tested, 'hidden', () => mei.headers)).toEqual([]);
  }, 300_000);

  it('in a filter finds nothing', async () => {
    const query = 'mutation ($id: ID) { exportOrders(filter: { ticketGroupId: $id }) { rows } }';
    const counted = async (whose: keyof typeof places) => {
      const { data } = await graphql(server, query, { id: idOf('ticket group', whose) }, mei.headers);
      return data.exportOrders.rows as number;
    };
    await restore();
    expect(await counted('own')).toBeGreaterThan(0);
    expect([await counted('hidden'), await counted('foreign')]).toEqual([0, 0]);
  });
});
