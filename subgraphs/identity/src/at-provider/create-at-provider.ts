import { newId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { discardCreation, discardCreationJob, type Creation } from './discard-creation.ts';
import { providerRefused } from './provider-refused.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'jobs' | 'log' | 'identityProvider'>;

interface Steps<Made, Recorded> {
  kind: Creation['kind'];
  /** Creates it at the provider, under this id. */
  create(idpId: string): Promise<Made>;
  /** The id that the provider has answered with: a server may not take ours. */
  idOf(made: Made): string;
  /** Records it here; asks `wasRemoved` in its transaction. */
  record(made: Made): Promise<Recorded>;
}

/** Longer than an attempt takes, which may call the provider several times. */
const DISCARDED_AFTER_MS = 3 * 60_000;

/**
 * Creates a person or an organization at the identity provider, and records it here: both or neither. We choose its id at
 * the provider, and store a job before the call that deletes it there unless it is recorded by then: the answer may be
 * lost, or this process may die. Nobody else can have this id, so the job never deletes what somebody else created.
 *
 * @throws what `create` and `record` throw
 */
export async function createAtProvider<Made, Recorded>(
  needs: Needs,
  { kind, create, idOf, record }: Steps<Made, Recorded>,
): Promise<Recorded> {
  const { clock, jobs, log } = needs;
  const idpId = newId();
  const startAfter = new Date(clock.now().getTime() + DISCARDED_AFTER_MS);
  await jobs.enqueue(discardCreationJob, { kind, idpId }, { startAfter });
  const made = await create(idpId).catch(async (error: unknown) => {
    // So that another attempt need not wait. The later job stays: the provider may still be creating it.
    if (!providerRefused(error)) await jobs.enqueue(discardCreationJob, { kind, idpId });
    throw error;
  });
  try {
    return await record(made);
  } catch (error) {
    await discardCreation(needs, { kind, idpId: idOf(made) }).catch((left: unknown) => {
      log.warn({ err: left, kind }, 'what could not be recorded is deleted at the identity provider later');
    });
    throw error;
  }
}
