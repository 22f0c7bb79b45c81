// For tests: judges a published ladder only by what a player can fetch. It shares no code with what makes ladders.
import { mkdir } from 'node:fs/promises';
import { join, posix } from 'node:path';

import type { types } from 'hls-parser';

import { packaged } from '../own-tools.ts';
import { checkRendition, checkVariant, checkVariantsTogether, type Rendition } from './rules.ts';
import { decodeEach, measureRendition, type Piece } from './measure-rendition.ts';
import { readMaster, readMediaPlaylist, type Faults } from './read-playlist.ts';
import { checkSmil } from './check-smil.ts';
import { skewIn } from './skew.ts';
import { checkSubtitles } from './check-subtitles.ts';
import { readText, type PublishedLadder } from './published-ladder.ts';

/** What a player would find. */
export interface LadderReport {
  /** Sentences about what is wrong; none when the ladder is valid. */
  faults: Faults;
  /** The variants with a picture, as the master playlist orders them. */
  variants: { name: string; width: number; height: number; framesPerSecond: number; rendition: Rendition }[];
  /** The variants without a picture. */
  soundOnly: string[];
  /** The languages of the sound: of all renditions, or `und` for sound within the variants. */
  audio: string[];
  subtitles: string[];
}

/** Reads, parses, measures and decodes a ladder as RFC 8216 defines it, and its SMIL file. */
export async function validateLadder(ladder: PublishedLadder): Promise<LadderReport> {
  const faults: Faults = [];
  const report: LadderReport = { faults, variants: [], soundOnly: [], audio: [], subtitles: [] };
  await mkdir(ladder.folder, { recursive: true });
  const text = await readText(ladder, ladder.manifestKey, faults);
  const master = readMaster(text, 'master.m3u8', faults);
  if (!master) return report;
  if (!master.independentSegments) faults.push('master.m3u8: has no EXT-X-INDEPENDENT-SEGMENTS');

  const { load, all } = renditionLoader(ladder, faults);
  for (const variant of master.variants) {
    const own = await load(variant.uri);
    const sounds = await Promise.all(variant.audio.flatMap(({ uri }) => (uri ? [load(uri)] : [])));
    checkVariant({ variant, own, sounds }, faults);
    const { width = 0, height = 0 } = own.video ?? {};
    const name = variant.uri.split('/').at(-2) ?? '';
    if (own.video) {
      const framesPerSecond = variant.frameRate ?? 0;
      report.variants.push({ name, width, height, framesPerSecond, rendition: own });
    } else report.soundOnly.push(name);
  }
  checkVariantsTogether(
    report.variants.map(({ rendition }) => rendition),
    faults,
  );

  const renditions = unique(master.variants.flatMap(({ audio }) => audio));
  const isMuxed = report.variants.some(({ rendition }) => rendition.audio);
  report.audio = renditions.length > 0 ? renditions.map(languageOf) : isMuxed ? ['und'] : [];
  const texts = unique(master.variants.flatMap(({ subtitles }) => subtitles));
  report.subtitles = texts.map(languageOf);
  for (const { uri = '' } of texts)
    await checkSubtitles(ladder, posix.join(posix.dirname(ladder.manifestKey), uri), faults);
  const streamed = await checkSmil(ladder, report.variants, faults);
  for (const key of streamed) await load(posix.relative(posix.dirname(ladder.manifestKey), key));
  const pieces = (await all()).flatMap((rendition) => rendition.pieces);
  faults.push(...(await decodeEach(await packaged(), pieces, ladder.folder)));
  return report;
}

const languageOf = ({ language }: types.Rendition) => language ?? 'und';

/** A group of renditions may serve several variants. */
function unique<One extends types.Rendition>(renditions: readonly One[]): One[] {
  return [...new Map(renditions.map((one) => [`${one.groupId} ${one.name}`, one])).values()].filter(
    (one, at, all) => all.findIndex(({ uri, name }) => uri === one.uri && name === one.name) === at,
  );
}

interface Loaded extends Rendition {
  pieces: Piece[];
}

/** Loads each rendition once, however many variants name it. */
function renditionLoader(ladder: PublishedLadder, faults: Faults) {
  const loaded = new Map<string, Promise<Loaded>>();
  return {
    load(uri: string): Promise<Loaded> {
      const rendition = loaded.get(uri) ?? loadRendition(ladder, uri, faults);
      loaded.set(uri, rendition);
      return rendition;
    },
    all: () => Promise.all(loaded.values()),
  };
}

async function loadRendition(ladder: PublishedLadder, uri: string, faults: Faults): Promise<Loaded> {
  const key = posix.join(posix.dirname(ladder.manifestKey), uri);
  const playlist = readMediaPlaylist(await readText(ladder, key, faults), uri, faults);
  const segments = playlist?.segments ?? [];
  const pieces = await Promise.all(segments.map((segment) => readPiece(ladder, { key, uri, segment }, faults)));
  const file = join(ladder.folder, `${uri.replaceAll(/\W/g, '-')}.mp4`);
  const streams = await measureRendition(await packaged(), pieces, file).catch((error: unknown) => {
    faults.push(`${uri}: ffprobe says "${String(error)}"`);
    return [];
  });
  const rendition = {
    uri,
    file,
    pieces,
    targetDuration: playlist?.targetDuration ?? 0,
    segments: segments.map(({ uri: name, duration }, place) => ({
      name,
      seconds: duration,
      bytes: pieces[place]?.bytes.length ?? 0,
    })),
    video: streams.find(({ codec_type: type }) => type === 'video'),
    audio: streams.find(({ codec_type: type }) => type === 'audio'),
  };
  checkRendition(rendition, faults);
  const skew = pieces[0]?.init.length ? skewIn(pieces[0].init) : null;
  if (skew !== null) faults.push(`${uri}: browsers play its sound and picture ${skew.toFixed(3)} s apart`);
  return rendition;
}

interface SegmentOf {
  /** Of its playlist. */
  key: string;
  uri: string;
  segment: types.Segment;
}

async function readPiece({ read }: PublishedLadder, { key, uri, segment }: SegmentOf, faults: Faults): Promise<Piece> {
  const at = (name: string) => posix.join(posix.dirname(key), name);
  const [init, whole] = await Promise.all([read(at(segment.map?.uri ?? '')), read(at(segment.uri))]);
  if (!init?.length || !whole?.length) faults.push(`${uri}: ${segment.uri} or its initialization is not there`);
  const { offset, length } = segment.byterange ?? { offset: 0, length: whole?.length ?? 0 };
  if (whole && offset + length > whole.length) faults.push(`${uri}: ${segment.uri} ends within its byte range`);
  const bytes = whole?.subarray(offset, offset + length) ?? Buffer.alloc(0);
  return { uri: `${uri}: ${segment.uri}`, init: init ?? Buffer.alloc(0), bytes };
}
