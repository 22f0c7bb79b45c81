import type { Id } from '@foyer/shared/ids';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { describe, expect, it } from 'vitest';

import { permitMedia, permitMediaList, permitOnMedia } from './permit-media.ts';

const [acme, first, second] = ['acme', 'first', 'second'] as [Id, Id, Id];
const opening = { permissions: ['media:upload'] };
const editor = { kind: 'staff', organizationId: acme } as Viewer;

/** Permissions of somebody who may upload in these workspaces. */
const uploadsIn = (...workspaces: (Id | undefined)[]) =>
  ({
    workspacesWith: async () => workspaces,
    inWorkspace: async (_viewer: Viewer, id: Id) => ({
      organizationId: acme,
      permissions: new Set(workspaces.includes(id) ? ['media:upload'] : []),
    }),
  }) as unknown as Permissions;

const permitted = (viewer: Viewer | null, permissions: Permissions, given?: Id) =>
  permitMedia({ viewer, permissions }, given, 'media:upload');

describe('a new media item without a named workspace', () => {
  it('belongs to the only one in which its creator may upload', async () => {
    expect(await permitted(editor, uploadsIn(first))).toMatchObject({ workspaceId: first, organizationId: acme });
  });

  it.each([
    ['several workspaces', uploadsIn(first, second)],
    ['no workspace', uploadsIn()],
  ])('is refused to somebody who may upload in %s: one must be named', async (_where, permissions) => {
    await expect(permitted(editor, permissions)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'WORKSPACE_REQUIRED',
    });
  });

  it('belongs to none where the route opens uploads and its creator has several', async () => {
    const permit = await permitted({ ...editor, opening } as Viewer, uploadsIn(first, second));
    expect(permit).toMatchObject({ workspaceId: null });
  });

  it('needs a viewer', async () => {
    await expect(permitted(null, uploadsIn(first))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('a new media item in a named workspace', () => {
  it('needs the permission there', async () => {
    expect(await permitted(editor, uploadsIn(first, second), second)).toMatchObject({ workspaceId: second });
    await expect(permitted(editor, uploadsIn(first), second)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('what a deleted workspace has left', () => {
  const left = { workspaceId: first, organizationId: acme };
  /** Permissions of somebody whom only the platform gives some, while `second` is the only workspace. */
  const onPlatform = (...permissions: string[]) =>
    ({
      onPlatform: async () => new Set(permissions),
      inWorkspace: async (_viewer: Viewer, id: Id) =>
        id === second ? { organizationId: acme, permissions: new Set() } : null,
    }) as unknown as Permissions;
  const deletes = (permissions: Permissions, row: Parameters<typeof permitOnMedia>[1], viewer = editor) =>
    permitOnMedia({ viewer, permissions }, row, 'media:delete');

  it('is listed and deleted by those who run the platform, or it would be stored and shown for good', async () => {
    const permissions = onPlatform('org:manage');
    expect(await permitMediaList({ viewer: editor, permissions }, first, 'media:view')).toEqual({ workspaceId: first });
    for (const visibility of ['PUBLIC', 'PRIVATE'] as const)
      expect(await deletes(permissions, { ...left, visibility })).toMatchObject(left);
  });

  it('is nobody else’s, nor is what workspaces have that exist', async () => {
    const [owner, support] = [onPlatform('org:manage'), onPlatform('platform:apps:platformconsole:access')];
    const refused = { reason: 'MEDIA_NOT_FOUND' };
    await expect(deletes(support, left)).rejects.toMatchObject(refused);
    await expect(deletes(owner, { ...left, workspaceId: second })).rejects.toMatchObject(refused);
    await expect(deletes(owner, { ...left, workspaceId: null })).rejects.toMatchObject(refused);
    await expect(deletes(owner, left, { kind: 'service' })).rejects.toMatchObject(refused);
    for (const [permissions, workspaceId] of [
      [support, first],
      [owner, second],
    ] as const)
      await expect(permitMediaList({ viewer: editor, permissions }, workspaceId, 'media:view')).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
  });
});
