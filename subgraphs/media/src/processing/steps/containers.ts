import { open } from 'node:fs/promises';

import type { Streams } from './streams.ts';

/** A container that we write. */
export interface Container {
  /** ffmpeg's name. */
  muxer: string;
  audioEncoder: string;
  /** Options of the muxer. */
  options: string[];
  /** Whether it may carry attachments, such as the fonts of subtitles. */
  hasAttachments: boolean;
}

/** The index comes first, so that playback starts before everything is loaded. */
const fastStart = ['-movflags', '+faststart'];
const plain = { audioEncoder: 'aac', options: [], hasAttachments: false };

/**
 * Returns the container in which a file is written again: its own, decided by content.
 *
 * @param head the first bytes of the file
 * @returns null for a container that we do not write
 */
export function containerOf({ format }: Pick<Streams, 'format'>, head: Buffer): Container | null {
  const names = new Set(format.split(','));
  const startsWith = head.toString('latin1');
  if (names.has('mp4')) {
    // Without `ftyp` it is a QuickTime file from before there were brands.
    const isQuickTime = startsWith.slice(4, 8) !== 'ftyp' || startsWith.slice(8, 12) === 'qt  ';
    return { ...plain, muxer: isQuickTime ? 'mov' : 'mp4', options: fastStart };
  }
  if (names.has('webm'))
    return startsWith.includes('webm')
      ? { ...plain, muxer: 'webm', audioEncoder: 'libopus' }
      : { ...plain, muxer: 'matroska', hasAttachments: true };
  if (names.has('mpegts')) return { ...plain, muxer: 'mpegts' };
  if (names.has('flv')) return { ...plain, muxer: 'flv' };
  return null;
}

const HEAD_BYTES = 64;

/** Reads what `containerOf` needs. */
export async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
