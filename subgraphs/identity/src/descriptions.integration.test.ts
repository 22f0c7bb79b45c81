import type { Staff } from '@foyer/shared/auth/viewer';
import { newId } from '@foyer/shared/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createAdministrator } from './testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from './testing/test-identity.ts';

let identity: TestIdentity;
let viewer: Staff;

beforeAll(async () => {
  identity = await startTestIdentity();
  viewer = await createAdministrator(identity.db);
});

afterAll(() => identity.stop());

const longest = 'd'.repeat(5_000);

/** Whatever has a description: the fields that only creating it takes, and the name of its id. */
describe.each([
  ['Workspace', {}, 'workspaceId'],
  ['Team', {}, 'teamId'],
  ['Role', { scope: 'WORKSPACE', permissions: [] }, 'roleId'],
] as const)('the description of a %s', (kind, needed, idName) => {
  const ask = (verb: 'create' | 'update', fields: object) =>
    identity.ask(
      `mutation ($input: ${verb === 'create' ? 'Create' : 'Update'}${kind}Input!) { is: ${verb}${kind}(input: $input) { id description } }`,
      { input: { organizationId: viewer.organizationId, ...fields } },
      { viewer },
    );
  const create = (description: string) => ask('create', { name: newId(), description, ...needed });

  it('has at most 5,000 characters, as over REST, because some lists have no pages', async () => {
    const tooLong = { reason: 'VALIDATION_FAILED', errors: [expect.objectContaining({ path: 'description' })] };
    expect((await create(`${longest}d`)).error).toMatchObject(tooLong);
    const { data } = await create(longest);
    const made = data?.['is'] as { id: string; description: string } | undefined;
    expect(made?.description).toBe(longest);
    const id = made?.id;
    expect((await ask('update', { [idName]: id, description: `${longest}d` })).error).toMatchObject(tooLong);
    expect((await ask('update', { [idName]: id, description: longest })).error).toBeUndefined();
  });
});
