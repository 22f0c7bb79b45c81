import { demo } from '@foyer/shared/demo';
import { clearStorefrontJob, removeChannelsJob } from '@foyer/shared/jobs/deleted-tenancy';
import { newId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createOrganization, createWorkspace } from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { sweepDeletedTenancies } from './sweep-deleted-tenancies.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

/** The jobs that a sweep enqueues. */
async function sweep() {
  const enqueued: [string, object][] = [];
  const enqueueAll = async ({ name }: { name: string }, all: readonly object[]) =>
    void enqueued.push(...all.map((data): [string, object] => [name, data]));
  await sweepDeletedTenancies({ db: identity.db, jobs: { enqueueAll } as never });
  return enqueued;
}

it('what belonged to organizations and workspaces that were deleted is ended again each day, and nothing of others', async () => {
  const { db } = identity;
  const { accessToken: token } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');
  const { accessToken: admin } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
  const { organizationId } = demo.acme;
  const change = async (document: string, input: object | string, by: string) => {
    const { data, error } = await identity.ask(document, { input }, { token: by });
    expect(error).toBeUndefined();
    return data as Record<string, { id: string }>;
  };
  const create = async () => {
    const document = 'mutation ($input: CreateWorkspaceInput!) { createWorkspace(input: $input) { id } }';
    const { createWorkspace: created } = await change(document, { organizationId, name: newId() }, admin);
    return created?.id ?? '';
  };
  const [kept, deleted] = [await create(), await create()];
  expect(await sweep()).toEqual([]);

  const remove = 'mutation ($input: DeleteWorkspaceInput!) { deleteWorkspace(input: $input) }';
  await change(remove, { organizationId, workspaceId: deleted }, admin);
  const ofWorkspace = { workspaceIds: [deleted] };
  expect(await sweep()).toEqual([
    [clearStorefrontJob.name, ofWorkspace],
    [removeChannelsJob.name, ofWorkspace],
  ]);

  await change('mutation ($input: ID!) { deleteOrganization(id: $input) }', organizationId, token);
  const ofOrganization = { organizationId, workspaceIds: [] };
  const both = { workspaceIds: [kept, deleted].toSorted() };
  expect(await sweep()).toEqual([
    [clearStorefrontJob.name, ofOrganization],
    [clearStorefrontJob.name, both],
    [removeChannelsJob.name, ofOrganization],
    [removeChannelsJob.name, both],
  ]);

  // A service has recorded it again since.
  await db.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await createWorkspace(db, await createOrganization(db));
  expect(await sweep()).toEqual([
    [clearStorefrontJob.name, both],
    [removeChannelsJob.name, both],
  ]);
});

it('identity does so by itself, every night', () => {
  const jobs = identity.subgraph.workers.map(({ job }) => job);
  expect(jobs).toContainEqual(
    expect.objectContaining({
      name: 'identity.sweep-deleted-tenancies',
      cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/),
    }),
  );
});
