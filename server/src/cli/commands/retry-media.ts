import { failedMedia, retryMedia } from '@foyer/media/retry-media';

import { auditOperator, openOperatorContextWithJobs } from '../operator/operator-context.ts';
import { forEach } from '../operator/for-each.ts';
import { withInstallation } from '../operator/installation.ts';
import type { Terminal } from '../operator/terminal.ts';
import { UsageError } from '../operator/usage-error.ts';

/** `foyer media retry`: enqueues another run of processing for media items. */
export async function retry(terminal: Terminal, ids: string[], { failed }: { failed: boolean }): Promise<boolean> {
  if (failed === ids.length > 0) throw new UsageError('give ids of media items, or --failed');
  const wrong = ids.find((id) => !/^[1-9]\d{0,8}$/.test(id));
  if (wrong) throw new UsageError(`${wrong} is no id of a media item`);
  return withInstallation(terminal.env, ['database'], async (installation, stack) => {
    const context = await openOperatorContextWithJobs(installation, stack);
    const wanted = failed ? await failedMedia(context) : ids.map(Number);
    const outcomes = await forEach(terminal, 'media items', wanted, async (id) => {
      const { run } = await retryMedia(
        {
          ...context,
          note: (tx, media) =>
            auditOperator(tx, {
              organizationId: media.organizationId,
              action: 'media.retried',
              target: { kind: 'media', id: String(media.id) },
            }),
        },
        id,
      );
      return { done: true, said: `media ${id} is queued, run ${run}`, facts: { id, run } };
    });
    if (!installation.process && outcomes.some(({ done }) => done))
      terminal.note('The server does it when it runs again.');
    return outcomes.every(({ done }) => done);
  });
}
