import type { VisibleMedia } from '../media/media.ts';

/** Describes what normalizing did to a media item; null until that step has ended, and for media that are not videos. */
export const describeNormalization = (media: VisibleMedia) =>
  media.normalizationOutcome
    ? {
        outcome: media.normalizationOutcome,
        reason: media.normalizationReason ?? null,
        type: media.normalizationType ?? null,
      }
    : null;
