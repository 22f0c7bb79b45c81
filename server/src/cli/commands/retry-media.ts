import { failedMedia, retryMedia } from '@foyer/media/retry-media';

import { noteOperator, openWorkDesk } from '../desk.ts';
import { forEach } from '../for-each.ts';
import { withHouse } from '../reach.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** `foyer media retry`: a new run over media items, done by the house as soon as it is open. */
export async function retry(terminal: Terminal, ids: string[], { failed }: { failed: boolean }): Promise<boolean> {
  if (failed === ids.length > 0) throw new UsageError('give ids of media items, or --failed');
  const wrong = ids.find((id) => !/^[1-9]\d{0,8}$/.test(id));
  if (wrong) throw new UsageError(`${wrong} is no id of a media item`);
  return withHouse(terminal.env, ['database'], async (reached, later) => {
    const desk = await openWorkDesk(reached, later);
    const wanted = failed ? await failedMedia(desk) : ids.map(Number);
    const outcomes = await forEach(terminal, 'media items', wanted, async (id) => {
      const { run } = await retryMedia(
        {
          ...desk,
          note: (tx, media) =>
            noteOperator(tx, {
              organizationId: media.organizationId,
              action: 'media.retried',
              target: { kind: 'media', id: String(media.id) },
            }),
        },
        id,
      );
      return { done: true, said: `media ${id} is queued, run ${run}`, facts: { id, run } };
    });
    if (!reached.process && outcomes.some(({ done }) => done))
      terminal.note('It is done as soon as the house is open.');
    return outcomes.every(({ done }) => done);
  });
}
