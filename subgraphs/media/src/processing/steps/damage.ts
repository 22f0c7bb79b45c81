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

/** How ffmpeg shortens lines that it would print again. Words of a file have a colon behind their name. */
const repeated = /^ {4}Last message repeated (\d+) times$/;

/** Sound that begins or ends within a frame loses that one. */
const MOST_OF_SOUND = 2;

/**
 * Finds out from what ffmpeg said while it decoded a film whether parts of it are damaged.
 *
 * @param said without a file's own words, which are in indented lines
 */
export function findDamage(said: string, { video, audios }: Pick<Streams, 'video' | 'audios'>): MediaWarning | null {
  const indexes = linesOf(said).flatMap((line) =>
    faults.flatMap((fault) => [...line.matchAll(fault)].map(([, index]) => Number(index))),
  );
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

/** Returns the lines of ffmpeg itself, each as often as it was said. */
function linesOf(said: string): string[] {
  const lines: string[] = [];
  for (const line of said.split('\n')) {
    const more = Math.min(Number(repeated.exec(line)?.[1] ?? 0), MOST_OF_SOUND);
    lines.push(...Array.from({ length: more }, () => lines.at(-1) ?? ''));
    if (/^\S/.test(line)) lines.push(line);
  }
  return lines;
}
