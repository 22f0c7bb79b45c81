import type { RunOptions } from '#ports/transcoder.ts';
import type { Needs } from '../task.ts';
import { hasLayout, measuringFilter, readLoudness, type Loudness } from './loudness.ts';
import type { AudioStream } from './streams.ts';

/** A track with the measurement of its loudness; null when it is copied as it is. */
export interface Track {
  audio: AudioStream;
  loudness: Loudness | null;
}

interface Sounds {
  file: string;
  audios: readonly AudioStream[];
  /** Output options that end the sound where it will be cut. */
  limit: readonly string[];
}

/**
 * Measures the loudness of all tracks of a file, in one reading.
 *
 * @returns with what ffmpeg said while it decoded them
 */
export async function measureTracks(
  { transcoder, processingRules }: Pick<Needs, 'transcoder' | 'processingRules'>,
  { file, audios, limit }: Sounds,
  run: RunOptions,
): Promise<{ tracks: Track[]; said: string }> {
  const outputs = audios.flatMap(({ index, channels }) => {
    if (!hasLayout(channels)) return [];
    const filter = measuringFilter(processingRules.targetLoudness, { track: index, channels });
    return [...limit, '-map', `0:${index}`, '-af', filter, '-f', 'null', '-'];
  });
  const said = outputs.length > 0 ? await transcoder.convert({ input: file, after: outputs }, run) : '';
  return { tracks: audios.map((audio) => ({ audio, loudness: readLoudness(said, audio.index) })), said };
}
