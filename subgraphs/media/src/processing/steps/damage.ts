import type { MediaWarning } from '../warnings.ts';
import type { Streams } from './streams.ts';

/**
 * What ffmpeg itself says of frames that can't be decoded, or only in part, in its versions from 4 to 8. What decoders say
 * besides differs, and much of it is no damage.
 */
const faults = [
  /corrupt decoded frame in stream (\d+)/g,
  /Error while decoding stream #\d+:(\d+)/g,
  /\[\w+#\d+:(\d+)\/\w+ @ \w+\].*(?:corrupt decoded frame|Error submitting packet to decoder|Decoding error)/g,
];

/** Sound that begins or ends within a frame loses that one. */
const MOST_OF_SOUND = 2;

/**
 * Finds out from what ffmpeg said while it decoded a film whether parts of it are damaged.
 *
 * @param said without a file's own words, which are in indented lines
 */
export function findDamage(said: string, { video, audios }: Pick<Streams, 'video' | 'audios'>): MediaWarning | null {
  const lines = said
    .split('\n')
    .filter((line) => /^\S/.test(line))
    .join('\n');
  const indexes = faults.flatMap((fault) => [...lines.matchAll(fault)].map(([, index]) => Number(index)));
  const count = (of: number | undefined) => indexes.filter((index) => index === of).length;
  const parts = [
    ...(count(video?.index) > 0 ? ['picture'] : []),
    ...(audios.some(({ index }) => count(index) > MOST_OF_SOUND) ? ['sound'] : []),
  ];
  if (parts.length === 0) return null;
  return {
    code: 'DAMAGED',
    message: `Parts of the ${parts.join(' and of the ')} can not be decoded: the file is damaged.`,
  };
}
