import { extname, join } from 'node:path';

import type { Attempt } from '@foyer/shared/jobs/job';

import { ownPrefix } from '../../storage/media-keys.ts';
import type { ProcessingData } from '../jobs.ts';
import { runStep } from '../run-step.ts';
import { CannotProcess, type Needs } from '../task.ts';
import { makeLadder } from './make-ladder.ts';
import { describeFile } from './describe-file.ts';
import { publishLadder } from './publish-ladder.ts';

/** Step 5, video with a ladder: makes the rungs and publishes them, the master playlist and SMIL last. */
export const transcodeMediaFile = (needs: Needs, data: ProcessingData, attempt: Attempt) =>
  runStep(needs, 'transcode', data, attempt, async (task) => {
    const { media, folder, signal } = task;
    const prefix = ownPrefix(media);
    if (prefix === null) throw new CannotProcess('This video has no folder of its own.');
    const file = join(folder, `source${extname(media.storageKey).toLowerCase()}`);
    await needs.store.fetch(media.storageKey, file);
    const { isInterlaced, streams } = await describeFile(needs, media, { file, signal });
    const ladder = await makeLadder(needs, task, { file, streams, isInterlaced, prefix });
    await task.write({ transcodingStage: 'package' });
    return publishLadder(needs, task, { ladder, prefix });
  });
