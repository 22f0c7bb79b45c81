import { badInput, type InputError } from '@foyer/shared/errors';

import { mediaTypes } from '../media/media-type.ts';

/** A rung as a profile defines it: `height` in pixels of the shorter side, bitrates in kilobits per second. */
export interface RungPlan {
  height: number;
  videoBitrateKbps: number;
  audioBitrateKbps: number;
}

export interface ProfileFields {
  name: string;
  category: string;
  renditions: readonly RungPlan[];
}

const NAME_LIMIT = 100;
const RUNGS_LIMIT = 10;

const limits = {
  height: { least: 2, most: 4_320, unit: 'pixels' },
  videoBitrateKbps: { least: 50, most: 100_000, unit: 'kbit/s' },
  audioBitrateKbps: { least: 16, most: 1_024, unit: 'kbit/s' },
} as const;

/**
 * Checks those fields of a transcoding profile that are given.
 *
 * @returns the fields, normalized: the name composed (NFC) and trimmed, the rungs highest first
 * @throws {Refusal} `VALIDATION_FAILED`, naming every invalid field
 */
export function checkProfile<Fields extends Partial<ProfileFields>>(fields: Fields): Fields {
  const name = fields.name?.normalize('NFC').trim();
  const renditions = fields.renditions?.toSorted((one, other) => other.height - one.height);
  const errors = [
    ...(name === undefined ? [] : objectionsToName(name)),
    ...(fields.category === undefined ? [] : objectionsToCategory(fields.category, renditions ?? [])),
    ...(renditions === undefined ? [] : objectionsToRungs(renditions)),
  ];
  if (errors.length > 0) throw badInput(errors);
  return { ...fields, ...(name !== undefined && { name }), ...(renditions && { renditions }) };
}

function objectionsToName(name: string): InputError[] {
  if (name === '' || name.length > NAME_LIMIT)
    return [{ path: 'name', message: `must have 1 to ${NAME_LIMIT} characters` }];
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return [{ path: 'name', message: 'must be one line of text' }];
  return [];
}

function objectionsToCategory(category: string, renditions: readonly RungPlan[]): InputError[] {
  const categories: readonly string[] = [...mediaTypes, 'other'];
  if (!categories.includes(category)) return [{ path: 'category', message: `must be ${categories.join(' or ')}` }];
  if (category !== 'video' && renditions.length > 0)
    return [{ path: 'renditions', message: 'must be empty: only video has a ladder' }];
  return [];
}

/** @param rungs highest first */
function objectionsToRungs(rungs: readonly RungPlan[]): InputError[] {
  if (rungs.length > RUNGS_LIMIT) return [{ path: 'renditions', message: `must have at most ${RUNGS_LIMIT} entries` }];
  const errors = rungs.flatMap(objectionsToRung);
  for (const [at, rung] of rungs.entries()) {
    const lower = rungs[at + 1];
    if (!lower) continue;
    if (lower.height === rung.height) errors.push(about(rung, 'is named twice'));
    else if (lower.videoBitrateKbps >= rung.videoBitrateKbps)
      errors.push(about(rung, `must have more videoBitrateKbps than ${lower.height}`));
    else if (lower.audioBitrateKbps > rung.audioBitrateKbps)
      errors.push(about(rung, `must not have less audioBitrateKbps than ${lower.height}`));
  }
  return errors;
}

function objectionsToRung(rung: RungPlan): InputError[] {
  const errors = Object.entries(limits).flatMap(([field, { least, most, unit }]) => {
    const value = rung[field as keyof typeof limits];
    return value >= least && value <= most ? [] : [about(rung, `must have ${field} from ${least} to ${most} ${unit}`)];
  });
  if (rung.height % 2 !== 0) errors.push(about(rung, 'must be even: encoders take no odd sizes'));
  return errors;
}

const about = ({ height }: RungPlan, message: string): InputError => ({
  path: 'renditions',
  message: `The rung of height ${height} ${message}.`,
});
