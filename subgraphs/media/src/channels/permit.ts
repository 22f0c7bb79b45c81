import { permitInWorkspace, permitOnPlatform } from '@foyer/shared/permissions';
import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { rowId } from '../row-id.ts';
import { channelNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions'>;
type Permission = 'media:view' | 'media:manage';

/** Asks for a permission where a channel belongs: in its workspace, or with the platform when it has none. */
export async function permitChannels(needs: Needs, workspaceId: string | null | undefined, permission: Permission) {
  if (workspaceId) return permitInWorkspace(needs, workspaceId, permission);
  await permitOnPlatform(needs, 'org:manage');
  return { organizationId: null, workspaceId: null };
}

/** One channel, for whoever holds the permission where it belongs; to all others it is not there. */
export async function permittedChannel(needs: Needs & Pick<Context, 'db'>, id: string, permission: Permission) {
  const channel = await needs.db.channel.findUnique({ where: { id: rowId(id) }, include: { origins: true } });
  if (!channel) throw channelNotFound(id);
  try {
    await permitChannels(needs, channel.workspaceId, permission);
  } catch (error) {
    const hidden = error instanceof Refusal && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND');
    throw hidden ? channelNotFound(id) : error;
  }
  return channel;
}
