import type { Staff, Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { memberOf, onDisk, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
import { releaseTenants } from './claim-tenant.ts';

const [anna, bert] = [memberOf(1), memberOf(2)];
const legacy: Viewer = { kind: 'legacy-client', permissions: ['media:upload'] };

let library: SmallLibrary;
beforeAll(async () => {
  library = await openSmallLibrary(onDisk);
});
afterAll(() => library.close());

describe('a tenant', () => {
  it('belongs to the organization that uses it first, and is refused to all others', async () => {
    await library.upload(anna, 'a', { tenant: 'one' });

    await expect(library.upload(bert, 'b', { tenant: 'one' })).rejects.toMatchObject({ reason: 'TENANT_TAKEN' });
    expect(await library.upload(anna, 'c', { tenant: 'one' })).toBeGreaterThan(0);
    expect(await library.db.media.count({ where: { tenant: 'one' } })).toBe(2);
  });

  it('belongs to one of two organizations that use it at the same moment', async () => {
    const [first, second] = [memberOf(1), memberOf(2)];
    for (let round = 0; round < 10; round++) {
      const tenant = `race-${round}`;
      const uploads = [first, second].map((viewer) => library.upload(viewer, 'x', { tenant }));
      const outcomes = (await Promise.allSettled(uploads)).map(({ status }) => status);
      expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it('is neither claimed by nor refused to a legacy client without a token', async () => {
    expect(await library.upload(legacy, 'x', { tenant: 'one' })).toBeGreaterThan(0);
    expect(await library.upload(legacy, 'x', { tenant: 'open' })).toBeGreaterThan(0);
    expect(await library.upload(bert, 'x', { tenant: 'open' })).toBeGreaterThan(0);
    const atOpenRoute = { ...bert, opening: { permissions: ['media:upload'] } };
    expect(await library.upload(atOpenRoute, 'x', { tenant: 'one' })).toBeGreaterThan(0);
  });

  it('of a deleted organization is free for the next that uses it; a deleted workspace frees none', async () => {
    const { organizationId } = anna as Staff;
    for (const tenant of ['left', 'also left']) await library.upload(anna, 'x', { tenant });
    await library.upload(bert, 'x', { tenant: 'kept' });
    const take = (viewer: Viewer, tenant: string) => library.upload(viewer, 'y', { tenant });

    await releaseTenants(library, { workspaceIds: [organizationId] });
    await expect(take(bert, 'left')).rejects.toMatchObject({ reason: 'TENANT_TAKEN' });

    await releaseTenants(library, { organizationId, workspaceIds: [] });
    expect(await take(bert, 'left')).toBeGreaterThan(0);
    await expect(take(anna, 'left')).rejects.toMatchObject({ reason: 'TENANT_TAKEN' });
    await expect(take(anna, 'kept')).rejects.toMatchObject({ reason: 'TENANT_TAKEN' });
  });
});
