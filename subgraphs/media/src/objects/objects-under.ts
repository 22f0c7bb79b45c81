import type { Services } from '../context.ts';

/** The names of the files that processing makes in the folder of a media item. */
const made = /^(thumbnail\.jpg|hls\/master\.m3u8|hls\/\d+p\/(init\.mp4|index\.m3u8|seg_\d+\.m4s)|smil\/ladder\.smil)$/;

/**
 * Lists the objects that processing made for a media item whose objects are not recorded. Names tell them from other
 * files: before decision 48, files of other items could lie among them.
 *
 * @param prefix its folder, without a slash at the end
 */
export async function objectsUnder({ store }: Pick<Services, 'store'>, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(`${prefix}/`)) if (made.test(key.slice(prefix.length + 1))) keys.push(key);
  return keys;
}
