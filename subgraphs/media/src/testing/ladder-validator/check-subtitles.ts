import { posix } from 'node:path';

import { readMediaPlaylist, type Faults } from './read-playlist.ts';
import { readText, type PublishedLadder } from './published-ladder.ts';

const cue = /^(?:(\d+):)?(\d\d):(\d\d)\.(\d{3}) --> (?:(\d+):)?(\d\d):(\d\d)\.(\d{3})/gm;

/** Checks a rendition of subtitles: its segments are WebVTT, with cues that end after they begin. */
export async function checkSubtitles(ladder: PublishedLadder, key: string, faults: Faults): Promise<void> {
  const playlist = readMediaPlaylist(await readText(ladder, key, faults), key, faults);
  let cues = 0;
  for (const { uri } of playlist?.segments ?? []) {
    const text = await readText(ladder, posix.join(posix.dirname(key), uri), faults);
    if (!/^\uFEFF?WEBVTT[ \t\n\r]/.test(`${text}\n`)) faults.push(`${key}: ${uri} is no WebVTT`);
    for (const [line, ...numbers] of text.matchAll(cue)) {
      const [h = 0, m = 0, s = 0, ms = 0, h2 = 0, m2 = 0, s2 = 0, ms2 = 0] = numbers.map((each) => Number(each ?? 0));
      const [from, to] = [((h * 60 + m) * 60 + s) * 1000 + ms, ((h2 * 60 + m2) * 60 + s2) * 1000 + ms2];
      if (from >= to) faults.push(`${key}: ${uri} has the cue ${line}`);
      cues += 1;
    }
  }
  if (cues === 0) faults.push(`${key}: has no cue`);
}
