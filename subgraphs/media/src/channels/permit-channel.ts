import { rowId } from '@foyer/shared/ids';
import { forbidden } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { mayOnMedia } from '../media/permit-media.ts';
import { channelNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** One channel, for whoever holds the permission where it belongs; who may not even see it is told that it is not there. */
export async function findPermittedChannel(needs: Needs, id: string, permission: 'media:view' | 'media:manage') {
  const channel = await needs.db.channel.findUnique({ where: { id: rowId(id) }, include: { origins: true } });
  if (!channel || !(await mayOnMedia(needs, channel, 'media:view', permission))) throw channelNotFound(id);
  if (!(await mayOnMedia(needs, channel, permission))) throw forbidden();
  return channel;
}
