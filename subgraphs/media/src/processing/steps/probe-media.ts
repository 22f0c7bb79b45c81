import { extname, join } from 'node:path';

import type { Attempt } from '@foyer/shared/jobs/job';

import type { ProcessingData } from '../jobs.ts';
import { CannotProcess, runStep, type Needs } from '../step.ts';
import { streamEntries } from './probed.ts';
import { readStreams } from './streams.ts';
import { endOf, findTruncation } from './truncation.ts';

/** Step 3: reads duration, size and codecs. A file that can't be read here can't be played. */
export const probeMediaFile = (needs: Needs, data: ProcessingData, attempt: Attempt) =>
  runStep(needs, 'probe', data, attempt, async ({ media, folder, signal, warn }) => {
    const file = join(folder, `source${extname(media.storageKey).toLowerCase()}`);
    await needs.store.fetch(media.storageKey, file);
    const streams = readStreams(await needs.transcoder.probe(file, streamEntries, { signal, timeoutMs: 60_000 }));
    const { video, audio, duration } = streams;
    if (media.mediaType === 'video' && !video) throw new CannotProcess('There is no video in this file.');
    if (media.mediaType === 'audio' && !audio) throw new CannotProcess('There is no sound in this file.');
    // Videos were checked before they were normalized.
    const warning =
      media.mediaType === 'audio' &&
      (await findTruncation(needs.transcoder, { file, streams, stated: endOf(streams) }, signal));
    if (warning) warn(warning);
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
