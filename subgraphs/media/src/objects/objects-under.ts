import type { Services } from '../context.ts';

/** What processing makes in the folder of a media item, and how it is called. */
const made = /^(thumbnail\.jpg|hls\/master\.m3u8|hls\/\d+p\/(init\.mp4|index\.m3u8|seg_\d+\.m4s)|smil\/ladder\.smil)$/;

/**
 * The objects that were made of a media item whose objects are not recorded, told from those of others by their names:
 * before decision 48, the files of others could lie among them.
 *
 * @param prefix its folder, without a slash at the end
 */
export async function objectsUnder({ store }: Pick<Services, 'store'>, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(`${prefix}/`)) if (made.test(key.slice(prefix.length + 1))) keys.push(key);
  return keys;
}
