import { boxesIn, findBox, type Box } from './boxes.ts';
import { isShorter, type Ending, type FileEnd, type ReadAt } from './ending.ts';

const MOST_INDEX_BYTES = 2 ** 20;

/**
 * Reads how an MP4 or QuickTime file ends (ISO 14496-12). A fragmented one may end behind any fragment, unless it says what
 * follows: the duration of all fragments (`mehd`, or that of the film) or the sizes of those that an index (`sidx`) lists.
 * ffmpeg, by which many programs record, writes an index behind the last one (`mfra`) when it ends by itself.
 *
 * @param lasts when its last packet ends, in seconds
 */
export async function endOfMp4({ read, size }: Pick<Ending, 'read' | 'size'>, lasts: number): Promise<FileEnd> {
  const seen = new Set<string>();
  let isByFfmpeg = false;
  let stated = 0;
  for await (const box of boxesIn(read, { from: 0, to: size })) {
    if (box.to > size) return 'cut';
    if (box.type === 'moov') {
      isByFfmpeg = (await read(box.at, Math.min(box.to - box.at, MOST_INDEX_BYTES))).includes('Lavf');
      stated = await durationOf(read, box);
    }
    if (box.type === 'sidx' && (await endOfListed(read, box)) > size) return 'cut';
    seen.add(box.type);
  }
  if (!seen.has('moof')) return 'whole';
  const isForStreaming = seen.has('styp') || seen.has('sidx');
  const lacksIndex = isByFfmpeg && !seen.has('mfra') && !isForStreaming;
  return lacksIndex || isShorter(lasts, stated) ? 'cut' : 'whole';
}

/** Returns the duration of a film with its fragments, in seconds; 0 where it does not say (8.2.2, 8.8.2). */
async function durationOf(read: ReadAt, moov: Box): Promise<number> {
  const [film, fragments] = [await findBox(read, moov, ['mvhd']), await findBox(read, moov, ['mvex', 'mehd'])];
  if (!film) return 0;
  const header = await read(film.from, 32);
  const isLong = header[0] === 1;
  if (header.length < 32) return 0;
  const scale = header.readUInt32BE(isLong ? 20 : 12);
  const ofFilm = isLong ? long(header, 24) : short(header, 16);
  const stated = fragments ? await read(fragments.from, 12) : Buffer.alloc(0);
  const isEnough = stated.length >= (stated[0] === 1 ? 12 : 8);
  const ofAll = isEnough ? (stated[0] === 1 ? long(stated, 4) : short(stated, 4)) : 0;
  return scale > 0 ? Math.max(ofFilm, ofAll) / scale : 0;
}

/** All bits are set in a duration that is not known. */
const short = (bytes: Buffer, at: number) => (bytes.readUInt32BE(at) === 0xffff_ffff ? 0 : bytes.readUInt32BE(at));
const long = (bytes: Buffer, at: number) => (bytes[at] === 0xff ? 0 : Number(bytes.readBigUInt64BE(at)));

/** Returns where the fragments that an index lists end (8.16.3). */
async function endOfListed(read: ReadAt, { from, to }: Box): Promise<number> {
  const bytes = await read(from, Math.min(to - from, MOST_INDEX_BYTES));
  const isLong = bytes[0] === 1;
  const list = isLong ? 32 : 24;
  if (bytes.length < list) return 0;
  const firstOffset = isLong ? Number(bytes.readBigUInt64BE(20)) : bytes.readUInt32BE(16);
  const count = Math.min(bytes.readUInt16BE(list - 2), Math.floor((bytes.length - list) / 12));
  let end = to + firstOffset;
  for (let each = 0; each < count; each += 1) end += bytes.readUInt32BE(list + 12 * each) & 0x7fff_ffff;
  return count > 0 ? end : 0;
}
