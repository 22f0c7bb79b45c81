import type { Prisma, ProcessingStep } from '@foyer/prisma/client';
import { z } from 'zod';

/** What may be wrong with a media item that can be played all the same. */
type WarningCode =
  | 'TRUNCATED'
  | 'DAMAGED'
  | 'NOT_DEINTERLACED'
  | 'HDR_NOT_TONE_MAPPED'
  | 'SOUND_SKIPPED'
  | 'SUBTITLES_SKIPPED';

export interface MediaWarning {
  code: WarningCode;
  /** One plain sentence that may be shown to a person. */
  message: string;
}

/** Codes are not checked: a newer process may have written them. */
const Stored = z.array(z.object({ step: z.string(), code: z.string(), message: z.string() }));

/** Reads the column `warnings` of a media item. */
export const readWarnings = (stored: unknown): { code: string; message: string }[] =>
  Stored.parse(stored).map(({ code, message }) => ({ code, message }));

/** Returns the column after a step has ended: its warnings replace those of its earlier runs. */
export function warningsAfter(
  stored: unknown,
  step: ProcessingStep,
  found: readonly MediaWarning[],
): Prisma.InputJsonValue {
  const others = Stored.parse(stored).filter((warning) => warning.step !== step);
  const own = new Map(found.map((warning) => [warning.code, { step, ...warning }]));
  return [...others, ...own.values()];
}

/** Returns the column at the start of a new run. Normalizing happens once, so what it found stays true. */
export const warningsOfNewRun = (stored: unknown): Prisma.InputJsonValue =>
  Stored.parse(stored).filter(({ step }) => step === 'normalize');
