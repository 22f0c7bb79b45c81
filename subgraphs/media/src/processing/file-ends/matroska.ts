import type { Ending, FileEnd } from './ending.ts';

const EBML = Buffer.from('1a45dfa3', 'hex');
const SEGMENT = Buffer.from('18538067', 'hex');
const CLUSTER = Buffer.from('1f43b675', 'hex');

interface Element {
  id: Buffer;
  from: number;
  /** Where it ends; null where it does not say. */
  to: number | null;
}

/**
 * Reads how a Matroska or WebM file ends (RFC 9559, RFC 8794): the segment states its size. Recorders that can't go back
 * leave that open, so the blocks of their last cluster are walked.
 */
export function endOfMatroska({ head, tail, size }: Ending): FileEnd {
  const header = elementAt(head, 0);
  if (!header?.id.equals(EBML) || header.to === null) return 'whole';
  const segment = elementAt(head, header.to);
  if (!segment?.id.equals(SEGMENT)) return 'whole';
  if (segment.to !== null) return segment.to > size ? 'cut' : 'whole';
  const cluster = tail.lastIndexOf(CLUSTER);
  return cluster < 0 ? 'whole' : endOfCluster(tail, cluster);
}

function endOfCluster(tail: Buffer, at: number): FileEnd {
  const cluster = elementAt(tail, at);
  if (!cluster) return 'cut';
  if (cluster.to !== null && cluster.to > tail.length) return 'cut';
  for (let next = cluster.to ?? cluster.from; next < tail.length;) {
    if (tail[next] === 0) return 'whole'; // padding
    const element = elementAt(tail, next);
    if (!element) return 'cut';
    if (element.to === null) return 'whole';
    if (element.to > tail.length) return 'cut';
    next = element.to;
  }
  return 'whole';
}

/** Reads the id and the size of an element; null where they are not there. */
function elementAt(bytes: Buffer, at: number): Element | null {
  const idBytes = Math.clz32(bytes[at] ?? 0) - 23;
  const sizeAt = at + idBytes;
  const first = bytes[sizeAt] ?? 0;
  const sizeBytes = Math.clz32(first) - 23;
  if (idBytes > 4 || sizeBytes > 8 || sizeAt + sizeBytes > bytes.length) return null;
  const number = bytes.subarray(sizeAt + 1, sizeAt + sizeBytes);
  const stated = number.reduce((sum, byte) => sum * 256 + byte, first & (0xff >> sizeBytes));
  const from = sizeAt + sizeBytes;
  const mask = 0xff >> sizeBytes;
  const isOpen = (first & mask) === mask && number.every((byte) => byte === 0xff);
  return { id: bytes.subarray(at, sizeAt), from, to: isOpen ? null : from + stated };
}
