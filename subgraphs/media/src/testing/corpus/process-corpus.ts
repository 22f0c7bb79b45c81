// For tests: uploads the corpus to a library whose programs are the real ones, and processes it.
import { basename, dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { previewer } from '#adapters/previews/previewer.ts';
import { ownTools } from '../own-tools.ts';
import type { ObjectStore } from '#ports/object-store.ts';
import type { Transcoder } from '#ports/transcoder.ts';
import { memberOf, openSmallLibrary } from '../library-fixture.ts';
import { makeSource } from './make-source.ts';
import { rungsOfTheCorpus, type OddSource } from './source.ts';

const editor = memberOf(1);

export type ProcessedCorpus = Awaited<ReturnType<typeof processCorpus>>;

/** Uploads the sources and processes them, two at a time. @param openStore opens the store, given a folder */
export async function processCorpus(
  openStore: (folder: string) => Promise<ObjectStore>,
  { sources, transcoder }: { sources: readonly OddSource[]; transcoder: Transcoder },
) {
  const deinterlaced = new Set<number>();
  const watched: Transcoder = {
    ...transcoder,
    convert(conversion, options) {
      const [id] = basename(dirname(conversion.input)).split('-');
      if (conversion.after.some((word) => word.includes('deint=all'))) deinterlaced.add(Number(id));
      return transcoder.convert(conversion, options);
    },
  };
  const programs = { transcoder: watched, previewer: previewer(ownTools) };
  const library = await openSmallLibrary(openStore, programs);
  const profile = await library.db.transcodingProfile.create({
    data: { name: 'Corpus', renditions: { create: rungsOfTheCorpus } },
  });
  const ids = new Map<string, number>();
  for (const source of sources) {
    const { file } = source;
    const described = { mediaType: 'video', mimeType: 'video/mp4', originalName: file, fileName: file };
    const where = { ...described, folder: 'corpus', transcodingProfileId: String(profile.id) };
    ids.set(file, await library.upload(editor, await makeSource(source), where));
  }
  await Promise.all([library.work(), library.work()]);

  return {
    /** The media item of a source. */
    itemOf: (file: string) => library.db.media.findUniqueOrThrow({ where: { id: ids.get(file) ?? 0 } }),
    /** Whether all its frames were taken for two fields each. */
    isDeinterlaced: (file: string) => deinterlaced.has(ids.get(file) ?? 0),
    /** Reads an object; null when there is none. */
    async read(key: string): Promise<Buffer | null> {
      const object = await library.store.open(key);
      return object && buffer(await object.read());
    },
    close: library.close,
  };
}
