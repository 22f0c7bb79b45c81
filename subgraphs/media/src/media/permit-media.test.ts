import type { Id } from '@foyer/shared/ids';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { describe, expect, it } from 'vitest';

import { permitMedia } from './permit-media.ts';

const [acme, first, second] = ['acme', 'first', 'second'] as Id[];
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
