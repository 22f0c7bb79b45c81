import type { ProcessingStep, TranscodingStage } from '@foyer/prisma/client';

export interface Planned {
  mediaType: string;
  /** Whether its profile has renditions. */
  hasLadder: boolean;
}

/** Returns the steps that a media item goes through, in order. */
export function planOf({ mediaType, hasLadder }: Planned): ProcessingStep[] {
  if (mediaType === 'video')
    return ['move', 'normalize', 'probe', 'thumbnail', ...(hasLadder ? (['transcode'] as const) : [])];
  if (mediaType === 'audio') return ['move', 'probe', 'thumbnail'];
  return ['move', 'thumbnail'];
}

/** Returns the step after a step, except those that are done already; null after the last one. */
export function stepAfter(
  plan: readonly ProcessingStep[],
  step: ProcessingStep,
  done: ReadonlySet<ProcessingStep> = new Set(),
): ProcessingStep | null {
  return plan.slice(plan.indexOf(step) + 1).find((each) => !done.has(each)) ?? null;
}

/** The stage that clients see during a step. */
export const stageOf: Record<ProcessingStep, TranscodingStage> = {
  move: 'queued',
  normalize: 'queued',
  probe: 'probe',
  thumbnail: 'probe',
  transcode: 'transcode',
};

/**
 * The stages of what is not processed yet. Ask for these, not for all but the others: nearly every row of a library is done, and
 * PostgreSQL finds the few by their stage.
 */
export const unfinished: TranscodingStage[] = ['queued', 'probe', 'transcode', 'package'];

/** How long the steps take, relative to each other. */
const weight: Record<ProcessingStep, number> = { move: 1, normalize: 6, probe: 1, thumbnail: 1, transcode: 40 };

/**
 * Returns the progress of the whole plan.
 *
 * @param fraction the progress of the step, 0 to 1
 * @returns percent, a whole number; 100 only when everything is done
 */
export function progressOf(plan: readonly ProcessingStep[], step: ProcessingStep, fraction: number): number {
  const at = plan.indexOf(step);
  const sum = (steps: readonly ProcessingStep[]) => steps.reduce((total, each) => total + weight[each], 0);
  const done = sum(plan.slice(0, at)) + weight[step] * Math.min(Math.max(fraction, 0), 1);
  return Math.floor((100 * done) / sum(plan));
}
