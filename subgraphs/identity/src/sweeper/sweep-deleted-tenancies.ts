import { clearStorefrontJob, removeChannelsJob } from '@foyer/shared/jobs/deleted-tenancy';
import { defineJob, worker, type Worker } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';

const sweepDeletedTenanciesJob = defineJob({
  name: 'identity.sweep-deleted-tenancies',
  data: z.object({}),
  retries: 2,
  retryDelaySeconds: 60,
  // 02:45 in Malaysia.
  cron: '45 18 * * *',
});

type Needs = Pick<Services, 'db' | 'jobs'>;

/** Of one job. */
const MOST_WORKSPACES = 1_000;

/**
 * Has ticketing and media end again what deleted organizations and workspaces sell and stream: earlier versions did not, and somebody
 * may have created more while the deletion was under way. Only the audit log knows what was deleted: an id that identity does not
 * know may be one that a legacy client has chosen.
 */
export async function sweepDeletedTenancies({ db, jobs }: Needs): Promise<void> {
  const deleted = await db.$queryRaw<{ kind: string; id: string }[]>`
    SELECT DISTINCT target_kind AS kind, target_id AS id FROM auth.audit_log
    WHERE action IN ('organization.deleted', 'workspace.created', 'workspace.deleted')
      AND target_id NOT IN (SELECT id::text FROM tenancy.organizations UNION ALL SELECT id::text FROM tenancy.workspaces)
    ORDER BY 1, 2`;
  const idsOf = (wanted: string) => deleted.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const workspaces = idsOf('workspace');
  const jobsOf = [
    ...idsOf('organization').map((organizationId) => ({ organizationId, workspaceIds: [] })),
    ...Array.from({ length: Math.ceil(workspaces.length / MOST_WORKSPACES) }, (_, at) => ({
      workspaceIds: workspaces.slice(at * MOST_WORKSPACES, (at + 1) * MOST_WORKSPACES),
    })),
  ];
  await jobs.enqueueAll(clearStorefrontJob, jobsOf);
  await jobs.enqueueAll(removeChannelsJob, jobsOf);
}

export const deletedTenanciesWorker = (needs: Needs): Worker =>
  worker(sweepDeletedTenanciesJob, () => sweepDeletedTenancies(needs));
