import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { removeKeys, removeLadder } from '../remove-ladder.ts';
import type { Needs, Outcome, Task } from '../task.ts';
import { EARLY, earlyPlaylist, type EarlyPlayback } from './early-playback.ts';
import { pictureOf, type Measured } from './fragments.ts';
import { PICTURE_FOLDER } from './ladder.ts';
import { masterPlaylist, PICTURE, smilLadder, WHOLE, type Ladder, type MadeAudio, type MadeRung } from './master.ts';
import { mediaPlaylist, publishedName, targetDuration, type Segment } from './playlists.ts';
import type { Rendition } from './renditions.ts';

/** The measured segments of a rung or rendition, whose files are in the folder of that name. */
interface Files {
  segments: readonly (Segment & Measured)[];
}

/** The picture of a rung alone, in the folder `PICTURE_FOLDER` of it; null where it has no files of its own. */
type PictureFiles = Files['segments'] | null;

/** Everything that was made of a film. */
export interface WholeLadder extends Ladder {
  rungs: readonly (MadeRung & Files & { pictureFiles: PictureFiles })[];
  audios: readonly (MadeAudio & Files)[];
  subtitles: readonly (Rendition & { text: string })[];
  /** Where the files are on this machine. */
  folder: string;
  /** The part of published names that only this making has. */
  making: string;
  /** In seconds, of the whole. */
  duration: number;
  early: EarlyPlayback | null;
}

type Content = { file: string } | { bytes: Buffer };

/** Publishes segments, then their playlists, then master playlist and SMIL: whoever finds a file finds all that it names. */
export async function publishLadder(
  needs: Needs,
  task: Task,
  { ladder, prefix }: { ladder: WholeLadder; prefix: string },
): Promise<Outcome> {
  const manifestKey = `${prefix}/hls/master.m3u8`;
  const smilKey = `${prefix}/smil/ladder.smil`;
  const segments = new Map(await segmentsOf(ladder, `${prefix}/hls`));
  const playlists = new Map([
    ...playlistsOf(ladder, `${prefix}/hls`),
    [manifestKey, asText(masterPlaylist(ladder))],
    [smilKey, asText(smilLadder(ladder.rungs, task.media.title))],
  ]);
  const keys = [...segments.keys(), ...playlists.keys()];
  await task.claim(keys);
  await storeAll(task, segments, ladder.early).catch(async (error: unknown) => {
    // Nothing names them yet. Attempts that wait for a full store must not fill it.
    if (ladder.early === null) await removeKeys(needs, task.media.id, [...segments.keys()]).catch(() => undefined);
    throw error;
  });
  await storeAll(task, playlists);
  // Removes the files of an earlier making.
  await removeLadder(needs, task.media, new Set(keys));
  return {
    data: { manifestKey, smilKey, earlyPlaylistKey: null },
    facts: { rungs: ladder.rungs.map(({ name }) => name), making: ladder.making },
  };
}

async function storeAll(task: Task, contents: ReadonlyMap<string, Content>, early: EarlyPlayback | null = null) {
  for (const [key, content] of contents) {
    task.signal.throwIfAborted();
    if (!early?.published.has(key)) await task.store(key, content);
  }
}

const asText = (text: string): Content => ({ bytes: Buffer.from(text) });

/** Returns segments and initialization segments by their keys. */
async function segmentsOf({ rungs, audios, subtitles, folder, making }: WholeLadder, hls: string) {
  const contents: [string, Content][] = [];
  const places = [...rungs.flatMap(inTheirFolders), ...audios.map(inItsFolder)];
  for (const { place, segments, picture, pictureFiles } of places) {
    const init = join(folder, place, 'init.mp4');
    contents.push([`${hls}/${place}/${publishedName('init.mp4', making)}`, { bytes: await readFile(init) }]);
    if (picture && !pictureFiles) {
      const pictureInit = { bytes: pictureOf(await readFile(init)) };
      contents.push([`${hls}/${place}/${publishedName(PICTURE_INIT, making)}`, pictureInit]);
    }
    for (const { name } of segments)
      contents.push([`${hls}/${place}/${publishedName(name, making)}`, { file: join(folder, place, name) }]);
  }
  for (const { folder: place, text } of subtitles)
    contents.push([`${hls}/${place}/${publishedName(TEXT, making)}`, asText(text)]);
  return contents;
}

/** A rung, and behind it the files of its picture alone. */
const inTheirFolders = (rung: WholeLadder['rungs'][number]) => [
  { ...rung, place: rung.name },
  ...(rung.pictureFiles
    ? [{ place: `${rung.name}/${PICTURE_FOLDER}`, segments: rung.pictureFiles, picture: null, pictureFiles: null }]
    : []),
];

const inItsFolder = (audio: MadeAudio & Files) => ({
  ...audio,
  place: audio.folder,
  picture: null,
  pictureFiles: null,
});

const PICTURE_INIT = 'video.mp4';
const TEXT = 'text.vtt';

/** Returns media playlists by their keys. */
function playlistsOf(
  { rungs, audios, subtitles, making, duration, early }: WholeLadder,
  hls: string,
): [string, Content][] {
  // The same for all of them (RFC 8216, 6.2.4); only subtitles may differ.
  const pictures = rungs.map(({ pictureFiles }) => ({ segments: pictureFiles ?? [] }));
  const target = targetDuration([...rungs, ...audios, ...pictures].flatMap(({ segments }) => segments));
  const written = (init: string, segments: readonly Segment[]) =>
    asText(mediaPlaylist({ type: 'complete', target, init, segments }));

  const playlists: [string, Content][] = [];
  for (const { place, segments } of [
    ...rungs.map((rung) => ({ place: rung.name, ...rung })),
    ...audios.map(inItsFolder),
  ])
    playlists.push([
      `${hls}/${place}/${WHOLE}`,
      written(publishedName('init.mp4', making), segments.map(published(making))),
    ]);
  for (const rung of rungs) {
    if (!rung.picture) continue;
    const { init, segments } = pictureAlone(rung, making);
    playlists.push([`${hls}/${rung.name}/${PICTURE}`, written(init, segments)]);
  }
  for (const { folder: place } of subtitles) {
    const text = { name: publishedName(TEXT, making), seconds: duration };
    const playlist = mediaPlaylist({ type: 'complete', target: targetDuration([text]), segments: [text] });
    playlists.push([`${hls}/${place}/${WHOLE}`, asText(playlist)]);
  }
  const lowest = rungs.at(-1);
  // Whoever plays early goes on to the end.
  if (early?.isNamed() && lowest)
    playlists.push([
      `${hls}/${lowest.name}/${publishedName(EARLY, making)}`,
      { bytes: earlyPlaylist(lowest.segments, making, 'grown') },
    ]);
  return playlists;
}

const published =
  (making: string) =>
  <Given extends Segment>(segment: Given): Given => ({ ...segment, name: publishedName(segment.name, making) });

/** Returns what the playlist of the picture of a rung alone names: files of its own, or the beginning of each segment. */
function pictureAlone({ segments, pictureFiles }: WholeLadder['rungs'][number], making: string) {
  if (!pictureFiles) {
    const parts = segments.flatMap(({ pictureBytes: bytes, ...segment }) => (bytes ? [{ ...segment, bytes }] : []));
    return { init: publishedName(PICTURE_INIT, making), segments: parts.map(published(making)) };
  }
  const inFolder = (name: string) => `${PICTURE_FOLDER}/${publishedName(name, making)}`;
  const files = pictureFiles.map(({ name, seconds }) => ({ name: inFolder(name), seconds }));
  return { init: inFolder('init.mp4'), segments: files };
}
