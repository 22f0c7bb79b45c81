import { rowId } from '@foyer/shared/ids';
import { forbidden } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { mayOnMedia } from '../media/permit-media.ts';
import { channelNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/**
 * Finds a channel on which the viewer holds a permission.
 *
 * @throws {Refusal} `FORBIDDEN`, or `CHANNEL_NOT_FOUND`: also for a channel that the viewer may not even see
 */
export async function findPermittedChannel(needs: Needs, id: string, permission: 'media:view' | 'media:manage') {
  const channel = await needs.db.channel.findUnique({ where: { id: rowId(id) }, include: { origins: true } });
  if (!channel || !(await mayOnMedia(needs, channel, 'media:view', permission))) throw channelNotFound(id);
  if (!(await mayOnMedia(needs, channel, permission))) throw forbidden();
  return channel;
}

/** Checks that a channel was not deleted while its streams were ordered. @throws {Refusal} `CHANNEL_NOT_FOUND` */
export async function checkExists({ db }: Pick<Needs, 'db'>, id: number): Promise<void> {
  if ((await db.channel.count({ where: { id } })) === 0) throw channelNotFound(String(id));
}
