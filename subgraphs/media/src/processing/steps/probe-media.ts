import { extname, join } from 'node:path';

import type { Attempt } from '@foyer/shared/jobs/job';

import { CannotRead } from '#ports/transcoder.ts';
import type { ProcessingData } from '../jobs.ts';
import { runStep } from '../run-step.ts';
import { CannotProcess, type Needs } from '../task.ts';
import { describeFile, factsAbout } from './describe-file.ts';
import { findInterlacing } from './interlacing.ts';
import { endOf, findFault } from './truncation.ts';

/** Step 3: reads duration, size and codecs, and whether the picture is interlaced. A file that can't be read here can't be played. */
export const probeMediaFile = (needs: Needs, data: ProcessingData, attempt: Attempt) =>
  runStep(needs, 'probe', data, attempt, async ({ media, folder, signal, warn }) => {
    const file = join(folder, `source${extname(media.storageKey).toLowerCase()}`);
    await needs.store.fetch(media.storageKey, file);
    const { streams, probed } = await describeFile(needs, media, { file, signal });
    const { video, audio, duration } = streams;
    if (media.mediaType === 'video' && !video) throw new CannotProcess('There is no video in this file.');
    if (media.mediaType === 'audio' && !audio) throw new CannotProcess('There is no sound in this file.');
    // Videos were checked before they were normalized.
    const source = { file, streams, stated: endOf(streams) };
    const warning = media.mediaType === 'audio' && (await findFault(needs.transcoder, source, signal));
    if (warning) warn(warning);
    const isInterlaced = media.mediaType === 'video' && video ? await lookAt({ file, video, signal }) : undefined;
    return {
      facts: { ...(isInterlaced !== undefined && { isInterlaced }), ...factsAbout(media.etag, probed) },
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

    /** A picture that can't be decoded here is no reason to fail: there may be no ladder to make. */
    async function lookAt(picture: Parameters<typeof findInterlacing>[1]): Promise<boolean | undefined> {
      return findInterlacing(needs, picture).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof CannotRead)) throw error;
        return undefined;
      });
    }
  });
