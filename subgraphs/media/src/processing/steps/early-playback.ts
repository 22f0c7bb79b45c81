import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Needs, Task } from '../task.ts';
import { measureSegment, type Measured } from './fragments.ts';
import { mediaPlaylist, publishedName, segmentsIn, type Segment } from './playlists.ts';

/** Where the files of a rung are, and where they go. */
export interface RungPlace {
  /** On this machine. */
  folder: string;
  /** In the store, such as `acme/7/hls/480p`. */
  prefix: string;
  /** The part of published names that only this making has. */
  making: string;
}

/** The playback of a rung that is still being made. */
export interface EarlyPlayback {
  /** Publishes the segments that are complete by now; what fails is tried again at the next look. */
  look(): void;
  /** Waits for a look to end. No other one may follow. */
  settle(): Promise<void>;
  /** The measures of segments that are in the store, and no longer on this machine, by their keys. */
  published: ReadonlyMap<string, Measured>;
  /** Whether the row names the playlist. */
  isNamed(): boolean;
}

/** The playlist that grows, beside that of the complete rung. */
export const EARLY = 'early.m3u8';

/**
 * The target duration of a playlist that grows, which must be known from the beginning: key frames are two seconds apart,
 * a segment ends at the first one after four, and there is at least one frame a second.
 */
const TARGET_SECONDS = 5;
/** Players need three target durations to begin (RFC 8216, 6.3.3). */
const ENOUGH_SECONDS = 3 * TARGET_SECONDS;

/** Writes the playlist of early playback; nothing but new segments is ever added to it. */
export function earlyPlaylist(segments: readonly Segment[], making: string, type: 'growing' | 'grown'): Buffer {
  const named = fitting(segments).map(({ name, seconds }) => ({ name: publishedName(name, making), seconds }));
  const init = publishedName('init.mp4', making);
  return Buffer.from(mediaPlaylist({ type, target: TARGET_SECONDS, init, segments: named }));
}

/** Returns the segments up to the first one that is too long: its source has hardly a frame a second. */
function fitting(segments: readonly Segment[]): readonly Segment[] {
  const tooLong = segments.findIndex(({ seconds }) => Math.round(seconds) > TARGET_SECONDS);
  return tooLong < 0 ? segments : segments.slice(0, tooLong);
}

/** Publishes a rung while ffmpeg makes it, and names its playlist in the row as soon as players can begin. */
export function openEarlyPlayback({ log }: Needs, task: Task, { folder, prefix, making }: RungPlace): EarlyPlayback {
  const published = new Map<string, Measured>();
  const key = (file: string) => `${prefix}/${publishedName(file, making)}`;
  let [listed, hasFailed, isNamed, isInitStored] = [0, false, false, false];
  let running: Promise<void> | null = null;

  async function publish(): Promise<void> {
    const segments = segmentsIn(await readFile(join(folder, 'index.m3u8'), 'utf8').catch(() => ''));
    for (const { name } of segments.slice(published.size)) {
      task.signal.throwIfAborted();
      if (!isInitStored) await task.store(key('init.mp4'), { bytes: await readFile(join(folder, 'init.mp4')) });
      isInitStored = true;
      const measured = await measureSegment(join(folder, name));
      await task.store(key(name), { file: join(folder, name) });
      published.set(key(name), measured);
    }
    const playable = fitting(segments);
    if (playable.length === listed || total(playable) < ENOUGH_SECONDS) return;
    await task.store(key(EARLY), { bytes: earlyPlaylist(playable, making, 'growing') });
    listed = playable.length;
    if (!isNamed) await task.write({ earlyPlaylistKey: key(EARLY) });
    isNamed = true;
  }

  return {
    published,
    isNamed: () => isNamed,
    look() {
      running ??= publish()
        .catch((error: unknown) => {
          if (!hasFailed) log.info({ mediaId: task.media.id, err: error }, 'early playback is delayed');
          hasFailed = true;
        })
        .finally(() => (running = null));
    },
    async settle() {
      await running;
    },
  };
}

const total = (segments: readonly Segment[]) => segments.reduce((sum, { seconds }) => sum + seconds, 0);
