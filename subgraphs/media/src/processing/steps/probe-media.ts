import { extname, join } from 'node:path';

import type { Attempt } from '@foyer/shared/jobs/job';

import type { ProcessingData } from '../jobs.ts';
import { CannotProcess, runStep, type Needs } from '../step.ts';
import { readStreams, streamEntries } from './streams.ts';

/** Step 3: reads duration, size and codecs. A file that can't be read here can't be played. */
export const probeMediaFile = (needs: Needs, data: ProcessingData, attempt: Attempt) =>
  runStep(needs, 'probe', data, attempt, async ({ media, folder, signal }) => {
    const file = join(folder, `source${extname(media.storageKey).toLowerCase()}`);
    await needs.store.fetch(media.storageKey, file);
    const { video, audio, duration } = readStreams(
      await needs.transcoder.probe(file, streamEntries, { signal, timeoutMs: 60_000 }),
    );
    if (media.mediaType === 'video' && !video) throw new CannotProcess('There is no video in this file.');
    if (media.mediaType === 'audio' && !audio) throw new CannotProcess('There is no sound in this file.');
    return {
      data: {
        duration,
        width: video?.width ?? null,
        height: video?.height ?? null,
        videoCodec: video?.codec ?? null,
        videoProfile: video?.profile ?? null,
        pixelFormat: video?.pixelFormat ?? null,
        audioCodec: audio?.codec ?? null,
      },
    };
  });
