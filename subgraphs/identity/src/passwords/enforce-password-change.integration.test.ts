import type { Permissions } from '@foyer/shared/auth/permissions';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Identity } from '../app.ts';
import { createAdministrator, createWorkspace } from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;
let strict: Identity;
beforeAll(async () => {
  identity = await startTestIdentity();
  strict = await identity.open({ ENFORCE_PASSWORD_CHANGE: 'true' });
});
afterAll(async () => {
  await strict.stop();
  await identity.stop();
});

it('a person who must choose a new password passes no check of a permission until then, wherever it is', async () => {
  const { db } = identity;
  const viewer = await createAdministrator(db);
  const { userId: id, organizationId } = viewer;
  const workspaceId = await createWorkspace(db, organizationId);
  const checks: Record<string, (permissions: Permissions) => Promise<unknown>> = {
    'on the platform': (permissions) => permissions.onPlatform(viewer),
    'in an organization': (permissions) => permissions.inOrganization(viewer, organizationId),
    'in a workspace': (permissions) => permissions.inWorkspace(viewer, workspaceId),
    'in any workspace': (permissions) => permissions.workspacesWith(viewer, organizationId, 'media:view'),
  };
  const outcomes = async () =>
    Promise.all(
      Object.entries(checks).map(async ([where, check]) => [
        where,
        await check(strict.permissions).then(
          () => 'passes',
          ({ reason }: { reason: string }) => reason,
        ),
      ]),
    );

  await db.authUser.update({ where: { id }, data: { passwordChangeRequired: true } });
  expect(await outcomes()).toEqual(Object.keys(checks).map((where) => [where, 'PASSWORD_CHANGE_REQUIRED']));

  await db.authUser.update({ where: { id }, data: { passwordChangeRequired: false } });
  expect(await outcomes()).toEqual(Object.keys(checks).map((where) => [where, 'passes']));
});
