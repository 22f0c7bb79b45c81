// For tests: random operations on a library, with the most awkward names.
import { Refusal } from '@foyer/shared/errors';
import { readId } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';
import * as fc from 'fast-check';

import { auditStorage } from '../library/audit-storage.ts';
import { updateMedia } from '../library/update-media.ts';
import { retryMedia } from '../processing/retry-media.ts';
import { putEarlier } from './earlier-layout.ts';
import { memberOf, type SmallLibrary } from './library-fixture.ts';

/** Reserved words, ordinary words, and `#<n>`: the id of the n-th item after the newest. */
const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('source', 'hls', 'smil', 'HLS', 'Source', '\u017Fmil', 'thumbnail.jpg') },
  { weight: 3, arbitrary: fc.constantFrom('360p', 'master.m3u8', 'init.mp4', 'seg_00000.m4s', 'ladder.smil') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('a', 'A', 'é', 'e\u0301', 'a.b', '2026', '３２４', 'uploads', '.thumbnails', '..'),
  },
  { weight: 5, arbitrary: fc.integer({ min: -4, max: 3 }).map((away) => `#${away}`) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
);

const names = fc.record({
  tenant: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('acme', 'ACME') }, { weight: 1, arbitrary: word }),
  folder: fc.array(word, { maxLength: 4 }).map((words) => words.join('/')),
  fileName: word,
});
type Names = typeof names extends fc.Arbitrary<infer One> ? One : never;

type Step =
  | { do: 'upload' | 'put as an earlier version did'; names: Names; film: boolean; who: number }
  | { do: 'process' | 'audit' }
  | { do: 'process again'; which: number }
  | { do: 'delete'; which: number; purge: boolean }
  | { do: 'move'; which: number; names: Names }
  | { do: 'change the profile'; which: number; profile: number }
  /** The migration is killed after so many changes to the store. */
  | { do: 'migrate'; changes: number };

const one = <Shape extends object>(weight: number, shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }) => ({
  weight,
  arbitrary: fc.record(shape),
});
const which = fc.nat(20);

/** Operations in any order. */
export const steps = (most: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      one(8, { do: fc.constant('upload' as const), names, film: fc.boolean(), who: fc.nat(2) }),
      one(4, { do: fc.constant('put as an earlier version did' as const), names, film: fc.boolean(), who: fc.nat(2) }),
      one(5, { do: fc.constantFrom('process' as const, 'process' as const, 'audit' as const) }),
      one(2, { do: fc.constant('process again' as const), which }),
      one(4, { do: fc.constant('delete' as const), which, purge: fc.boolean() }),
      one(3, { do: fc.constant('migrate' as const), changes: fc.nat(12) }),
      one(4, { do: fc.constant('move' as const), which, names }),
      one(2, { do: fc.constant('change the profile' as const), which, profile: fc.integer({ min: 1, max: 4 }) }),
    ),
    { minLength: 4, maxLength: most, size: 'max' },
  );

const permissions = ['media:upload', 'media:view', 'media:manage', 'media:delete'];
const anyone: Viewer = { kind: 'legacy-client', permissions };
const viewers = [memberOf(1), memberOf(2), anyone];

/** Performs a step. @returns the ids of the affected media items */
export async function perform(library: SmallLibrary, step: Step): Promise<Set<number>> {
  const { db, needs } = library;
  const rows = await db.media.findMany({ orderBy: { id: 'asc' }, select: { id: true, transcodingStage: true } });
  const waiting = rows.filter(({ transcodingStage: stage }) => stage !== 'done' && stage !== 'failed');
  const busy = waiting.map(({ id }) => id);
  const picked = 'which' in step ? rows[step.which % Math.max(rows.length, 1)]?.id : undefined;

  const next = (rows.at(-1)?.id ?? 0) + 1;
  if (step.do === 'move' || step.do === 'change the profile') {
    const input =
      step.do === 'move'
        ? { folder: withNumbers(step.names.folder, next) }
        : { transcodingProfileId: readId(String(step.profile)) };
    if (picked) await updateMedia(library.as(anyone), { id: String(picked), input }).catch(refusedIsNull);
    return numbers(picked);
  }
  if ('names' in step) return numbers(await add(library, step, next));
  if (step.do === 'audit') await auditStorage(library.as(memberOf(1)), { limit: 1000 });
  if (step.do === 'migrate') await library.migrateAndBreak(step.changes);
  if (step.do === 'process') await library.work();
  if (step.do === 'process again' && picked) {
    await retryMedia(needs, picked).catch(refusedIsNull);
    await library.work();
  }
  if (step.do === 'delete' && picked) await library.remove(anyone, picked, step.purge);
  if (step.do === 'audit' || step.do === 'migrate') return new Set();
  return step.do === 'delete' ? numbers(picked) : numbers(...busy, picked);
}

const numbers = (...ids: (number | null | undefined)[]) => new Set(ids.filter((id) => typeof id === 'number'));

const withNumbers = (text: string, next: number) =>
  text.replaceAll(/#(-?\d+)/g, (_all, away: string) => String(Math.max(next + Number(away), 1)));

async function add(
  library: SmallLibrary,
  step: Extract<Step, { film: boolean }>,
  next: number,
): Promise<number | null> {
  const numbered = (text: string) => withNumbers(text, next);
  const { tenant, folder, fileName } = step.names;
  const place = { tenant: numbered(tenant), folder: numbered(folder), fileName: numbered(fileName) };
  if (step.do !== 'upload') return putEarlier(library, { ...place, film: step.film });
  const asFilm = { mediaType: 'video', mimeType: 'video/mp4', transcodingProfileId: '1' };
  const viewer = viewers[step.who] ?? anyone;
  return library.upload(viewer, `bytes ${Math.random()}`, { ...place, ...(step.film && asFilm) }).catch(refusedIsNull);
}

function refusedIsNull(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}
