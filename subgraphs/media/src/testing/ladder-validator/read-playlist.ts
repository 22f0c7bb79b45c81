// For tests: reads HLS playlists with two parsers that know nothing of Foyer, and lists what either of them objects to.
import { getOptions, parse, setOptions, types } from 'hls-parser';
import { Parser } from 'm3u8-parser';

/** Collects sentences about what is wrong. */
export type Faults = string[];

/** Reads a playlist with hls-parser, strictly; null when it refuses. */
function readStrictly(text: string, name: string, faults: Faults) {
  const before = { ...getOptions() };
  setOptions({ strictMode: true, silent: true });
  try {
    return parse(text);
  } catch (error) {
    faults.push(`${name}: hls-parser says "${String(error)}"`);
    return null;
  } finally {
    setOptions(before);
  }
}

/** Reads a playlist with m3u8-parser. */
function readOtherwise(text: string, name: string, faults: Faults) {
  const parser = new Parser();
  for (const kind of ['error', 'warn'] as const)
    parser.on(kind, ({ message }) => void faults.push(`${name}: m3u8-parser says "${message}"`));
  parser.push(text);
  parser.end();
  return parser.manifest;
}

/** Reads a master playlist; null when it is none. */
export function readMaster(text: string, name: string, faults: Faults): types.MasterPlaylist | null {
  const playlist = readStrictly(text, name, faults);
  const { playlists = [] } = readOtherwise(text, name, faults);
  if (!(playlist instanceof types.MasterPlaylist)) {
    faults.push(`${name}: is no master playlist`);
    return null;
  }
  const [one, other] = [playlist.variants.map(({ uri }) => uri), playlists.map(({ uri }) => uri)];
  if (one.join() !== other.join()) faults.push(`${name}: the parsers read ${one.join()} and ${other.join()}`);
  if (playlist.variants.length === 0) faults.push(`${name}: names no variant`);
  return playlist;
}

/** Reads a media playlist and checks it against RFC 8216; null when it is none. */
export function readMediaPlaylist(text: string, name: string, faults: Faults): types.MediaPlaylist | null {
  const playlist = readStrictly(text, name, faults);
  const other = readOtherwise(text, name, faults);
  if (!(playlist instanceof types.MediaPlaylist)) {
    faults.push(`${name}: is no media playlist`);
    return null;
  }
  const { segments, targetDuration, endlist, playlistType, version = 1 } = playlist;
  const require = (rule: boolean, otherwise: string) => void (rule || faults.push(`${name}: ${otherwise}`));
  require(segments.length > 0, 'has no segment');
  require(segments.map(({ uri }) => uri).join() === other.segments.map(({ uri }) => uri).join(), 'read differently');
  require(endlist && other.endList === true, 'has no EXT-X-ENDLIST');
  // 4.3.3.5: one that has grown while it was made stays EVENT.
  require(playlistType === 'VOD' || playlistType === 'EVENT', 'has no EXT-X-PLAYLIST-TYPE');
  // 4.3.3.1: a decimal integer, and no segment is longer once it is rounded. Players take 0 for "reload at once".
  require(/^#EXT-X-TARGETDURATION:[1-9]\d*$/m.test(text), 'has no valid EXT-X-TARGETDURATION');
  for (const { uri, duration, map } of segments) {
    require(duration > 0, `${uri} has no duration`);
    require(Math.round(duration) <= targetDuration, `${uri} lasts ${duration} s, more than EXT-X-TARGETDURATION`);
    // 4.3.2.5 and 7: fragmented MP4 needs EXT-X-MAP, which needs version 6.
    if (/\.(m4s|mp4|m4a)$/.test(uri)) require(Boolean(map?.uri) && version >= 6, `${uri} has no EXT-X-MAP`);
  }
  return playlist;
}
