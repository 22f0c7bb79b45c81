import { defineJob, worker } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { noteRemoval, wasRemoved } from './removals.ts';

type Needs = Pick<Services, 'db' | 'identityProvider'>;

const Creation = z.object({ kind: z.enum(['person', 'organization']), idpId: z.string() });

/** What an attempt to create something at the identity provider may have left there. */
export type Creation = z.output<typeof Creation>;

export const discardCreationJob = defineJob({
  name: 'identity.discard-creation',
  data: Creation,
  retries: 20,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 10 * 60,
});

export const discardCreationWorker = (needs: Needs) =>
  worker(discardCreationJob, (creation) => discardCreation(needs, creation));

/** Deletes at the provider what an attempt created there, unless it is recorded here; whoever is about to record it will not. */
export async function discardCreation({ db, identityProvider }: Needs, { kind, idpId }: Creation): Promise<void> {
  const isRecorded = await db.$transaction(async (tx) => {
    await wasRemoved(tx, idpId); // for its lock: nobody records it meanwhile
    const recorded =
      kind === 'person'
        ? await tx.authUser.count({ where: { idpUserId: idpId } })
        : await tx.authOrganization.count({ where: { idpOrgId: idpId } });
    if (recorded === 0) await noteRemoval(tx, idpId);
    return recorded > 0;
  });
  if (isRecorded) return;
  if (kind === 'person') await identityProvider.deleteUser(idpId);
  else await identityProvider.deleteOrganization(idpId);
}
