import { open, type FileHandle } from 'node:fs/promises';

/** A box of an ISO base media file (ISO 14496-12), by its place in the buffer. */
interface Box {
  type: string;
  start: number;
  end: number;
}

const HEADER = 8;

function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let start = from; start + HEADER <= to;) {
    const size = bytes.readUInt32BE(start);
    if (size < HEADER || start + size > to) break;
    boxes.push({ type: bytes.toString('latin1', start + 4, start + HEADER), start, end: start + size });
    start += size;
  }
  return boxes;
}

const childrenOf = (bytes: Buffer, box: Box) => boxesIn(bytes, box.start + HEADER, box.end);

function boxAt(bytes: Buffer, path: readonly string[], within: Box): Box | null {
  let box: Box | undefined = within;
  for (const type of path) box = box && childrenOf(bytes, box).find((child) => child.type === type);
  return box ?? null;
}

/** Reads the codec of a rung's video from the avcC box of its initialization segment (ISO 14496-15). */
export function videoCodecIn(init: Buffer): string {
  const at = init.indexOf('avcC');
  return at < 0 ? 'avc1.640028' : `avc1.${init.subarray(at + 5, at + 8).toString('hex')}`;
}

/** Returns an initialization segment that has only the tracks of video of another one. */
export function pictureOf(init: Buffer): Buffer {
  const left = new Set<number>();
  const isPicture = (trak: Box) => {
    const handler = boxAt(init, ['mdia', 'hdlr'], trak);
    return handler !== null && init.toString('latin1', handler.start + 16, handler.start + 20) === 'vide';
  };
  const idIn = (trak: Box) => {
    const header = boxAt(init, ['tkhd'], trak);
    if (!header) return 0;
    return init.readUInt32BE(header.start + (init[header.start + HEADER] === 1 ? 28 : 20));
  };
  return Buffer.concat(boxesIn(init, 0, init.length).map(copied));

  function copied(box: Box): Buffer {
    if (box.type === 'trak' && !isPicture(box)) {
      left.add(idIn(box));
      return Buffer.alloc(0);
    }
    if (box.type === 'trex' && left.has(init.readUInt32BE(box.start + 12))) return Buffer.alloc(0);
    if (box.type !== 'moov' && box.type !== 'mvex') return init.subarray(box.start, box.end);
    const content = childrenOf(init, box).map(copied);
    const header = Buffer.from(init.subarray(box.start, box.start + HEADER));
    header.writeUInt32BE(HEADER + content.reduce((sum, { length }) => sum + length, 0));
    return Buffer.concat([header, ...content]);
  }
}

/** ffmpeg numbers the tracks in the order of its options: the picture comes first. */
const PICTURE_TRACK = 1;
/** Of a fragment: its header, `mfhd`, the header of its first `traf`, and `tfhd` up to the number of the track. */
const FRAGMENT_HEADER = HEADER + 16 + HEADER + 16;

/** The size of a segment, in bytes. */
export interface Measured {
  bytes: number;
  /** Of its beginning, which has the picture alone; null when picture and sound share fragments. */
  pictureBytes: number | null;
}

/** The boxes of a segment. */
const boxesOfSegments = new Set(['styp', 'sidx', 'moof', 'mdat']);

/** ffmpeg succeeds although the disk has refused a part of what it wrote: it says nothing of HLS that was cut short. */
export const diskRefused = (): Error => Object.assign(new Error('ffmpeg could not write all'), { code: 'ENOSPC' });

/** Measures a segment. @throws as a full disk does, when its end is missing */
export async function measureSegment(file: string): Promise<Measured> {
  const handle = await open(file);
  try {
    const { size: bytes } = await handle.stat();
    const header = Buffer.alloc(FRAGMENT_HEADER);
    await checkWhole(handle, bytes);
    let fragmentAt = 0;
    for (let at = 0; at + HEADER <= bytes;) {
      await handle.read(header, 0, FRAGMENT_HEADER, at);
      const [size, type] = [header.readUInt32BE(0), header.toString('latin1', 4, HEADER)];
      if (size < HEADER) break;
      if (type === 'moof') {
        const firstTrack = header.readUInt32BE(HEADER + 16);
        if (size > HEADER + 16 + firstTrack) return { bytes, pictureBytes: null };
        if (header.readUInt32BE(FRAGMENT_HEADER - 4) !== PICTURE_TRACK) return { bytes, pictureBytes: fragmentAt };
      }
      at += size;
      if (type === 'mdat') fragmentAt = at;
    }
    return { bytes, pictureBytes: bytes };
  } finally {
    await handle.close();
  }
}

async function checkWhole(handle: FileHandle, bytes: number): Promise<void> {
  const header = Buffer.alloc(HEADER);
  if (bytes === 0) throw diskRefused();
  for (let at = 0; at < bytes; at += header.readUInt32BE(0)) {
    const { bytesRead } = await handle.read(header, 0, HEADER, at);
    if (bytesRead < HEADER) throw diskRefused();
    const size = header.readUInt32BE(0);
    if (!boxesOfSegments.has(header.toString('latin1', 4)) || size < HEADER) return;
    if (at + size > bytes) throw diskRefused();
  }
}
