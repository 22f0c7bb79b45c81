import { posix } from 'node:path';

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { z } from 'zod';

import type { Faults } from './read-playlist.ts';
import { readText, type PublishedLadder } from './published-ladder.ts';

const Video = z.object({
  '@_src': z.string(),
  '@_width': z.coerce.number(),
  '@_height': z.coerce.number(),
  '@_system-bitrate': z.coerce.number().positive(),
});
const Smil = z.object({ smil: z.object({ body: z.object({ switch: z.object({ video: z.array(Video).min(1) }) }) }) });

/** Checks that a SMIL file is valid XML and names every variant with a picture; returns the keys that it names. */
export async function checkSmil(
  ladder: PublishedLadder,
  variants: readonly { width: number; height: number }[],
  faults: Faults,
): Promise<string[]> {
  const text = await readText(ladder, ladder.smilKey, faults);
  const valid = XMLValidator.validate(text);
  if (valid !== true) {
    faults.push(`ladder.smil: ${valid.err.msg}`);
    return [];
  }
  const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'video' });
  const read = Smil.safeParse(parser.parse(text));
  if (!read.success) {
    faults.push(`ladder.smil: ${z.prettifyError(read.error)}`);
    return [];
  }

  const { video: videos } = read.data.smil.body.switch;
  const sizes = (all: readonly (readonly [number, number])[]) => all.map((size) => size.join('x')).join();
  const [named, wanted] = [
    sizes(videos.map((video) => [video['@_width'], video['@_height']])),
    sizes(variants.map(({ width, height }) => [width, height])),
  ];
  if (named !== wanted) faults.push(`ladder.smil: names ${named}, the master playlist ${wanted}`);
  return videos.map(({ '@_src': source }) => posix.join(posix.dirname(ladder.smilKey), source));
}
