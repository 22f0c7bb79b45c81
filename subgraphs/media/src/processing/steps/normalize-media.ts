import { extname, join } from 'node:path';

import type { Attempt } from '@foyer/shared/jobs/job';

import { CannotRead } from '#ports/transcoder.ts';
import type { ProcessingData } from '../jobs.ts';
import { isStoreFailure } from '../../storage/store-failure.ts';
import { runStep } from '../run-step.ts';
import type { Needs, Outcome, Task } from '../task.ts';
import { factsAbout } from './describe-file.ts';
import { normalizeFile } from './normalize-file.ts';
import { readSource } from './read-source.ts';
import { findFault } from './truncation.ts';

/**
 * Step 2, video only: trims, remuxes with fast start, and brings the sound to the target loudness; the picture is copied
 * unchanged. When that fails, the original stays.
 */
export const normalizeMediaFile = (needs: Needs, data: ProcessingData, attempt: Attempt) =>
  runStep(needs, 'normalize', data, attempt, async (task) => {
    const { media, signal, last } = task;
    const stored = await needs.store.stat(media.storageKey);
    if (stored && stored.etag !== media.etag) {
      // An earlier attempt replaced the file and died before it could commit: normalizing once is enough.
      return {
        data: { normalizedKey: media.storageKey, etag: stored.etag },
        facts: { resumed: true },
        keepsWarnings: true,
      };
    }
    if (media.normalizedKey) return { facts: { already: true }, keepsWarnings: true };
    const file = join(task.folder, `source${extname(media.storageKey).toLowerCase()}`);
    await needs.store.fetch(media.storageKey, file);
    try {
      return await normalize(needs, task, file);
    } catch (error) {
      if (signal.aborted || isStoreFailure(error) || !(error instanceof CannotRead || last)) throw error;
      return keep(needs, task, { file, error });
    }
  });

async function normalize(needs: Needs, task: Task, file: string): Promise<Outcome> {
  const { media, folder, signal, report, warn, write } = task;
  const source = await readSource(needs, { file, folder, signal });
  const { output, probed, type, trimmedTo, warning } = await normalizeFile(needs, source, { folder, signal, report });
  if (warning) warn(warning);
  const applied = { normalizationOutcome: 'applied', normalizationReason: null, normalizationType: type } as const;
  // An attempt that takes over must not replace the file: this throws. One that finds it replaced keeps what this writes.
  await write({ ...applied, warnings: task.warnings() });
  const { etag } = await needs.store.putFile(media.storageKey, output);
  return {
    // `fileSize` stays that of the upload: processing does not set it (spec 3, "Resources and their fields").
    data: { normalizedKey: media.storageKey, etag, ...applied },
    facts: { trimmedTo, type, ...factsAbout(etag, probed) },
  };
}

/** Keeps the original, and says why. A file that can't be read at all fails in the next step. */
async function keep(needs: Needs, task: Task, { file, error }: { file: string; error: unknown }): Promise<Outcome> {
  const { media, folder, signal, warn } = task;
  const normalizationReason = error instanceof Error ? error.message : 'normalizing failed';
  const data = { normalizationOutcome: 'skipped', normalizationReason, normalizationType: null } as const;
  const facts = { skipped: normalizationReason };
  try {
    const source = await readSource(needs, { file, folder, signal });
    const warning = await findFault(needs.transcoder, source, signal);
    if (warning) warn(warning);
    return { data, facts: { ...facts, ...factsAbout(media.etag, source.probed) } };
  } catch (other) {
    if (signal.aborted || !(other instanceof CannotRead)) throw other;
    return { data, facts };
  }
}
