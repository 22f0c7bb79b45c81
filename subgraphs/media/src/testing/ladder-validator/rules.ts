// For tests: the rules of RFC 8216 about what the segments contain, beside what the playlists say.
import type { types } from 'hls-parser';

import type { Packet, Stream } from './measure-rendition.ts';
import type { Faults } from './read-playlist.ts';

export interface Rendition {
  uri: string;
  /** Its initialization and all segments in one local file. */
  file: string;
  targetDuration: number;
  segments: { name: string; seconds: number; bytes: number }[];
  video: Stream | undefined;
  audio: Stream | undefined;
}

/** Two frames of AAC at 48 kHz, in seconds: sound can't be cut at every moment. */
const TWO_AUDIO_FRAMES = 2 * (1024 / 48_000);

export const secondsOf = ({ segments }: Pick<Rendition, 'segments'>) =>
  segments.reduce((sum, { seconds }) => sum + seconds, 0);

/** Returns the frames per second that a stream really has; 0 for a single frame. */
export function measuredRate({ packets }: Pick<Stream, 'packets'>): number {
  const times = packets.map(({ from }) => from).toSorted((one, other) => one - other);
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return span > 0 ? (times.length - 1) / span : 0;
}

/** Checks one rendition against its own playlist. */
export function checkRendition({ uri, segments, video, audio }: Rendition, faults: Faults): void {
  const main = video ?? audio;
  if (!main) return void faults.push(`${uri}: has neither a picture nor sound`);
  const frame = video ? (main.packets[0]?.lasts ?? 0) : TWO_AUDIO_FRAMES;
  for (const [at, { name, seconds }] of segments.entries()) {
    const packets = main.packets.filter(({ segment }) => segment === at);
    const [first] = packets;
    if (!first) {
      faults.push(`${uri}: ${name} is empty`);
      continue;
    }
    if (!first.isKeyFrame) faults.push(`${uri}: ${name} does not begin with a key frame`);
    const [from, to] = [Math.min(...packets.map((each) => each.from)), endOf(packets)];
    if (Math.abs(to - from - seconds) > frame + 0.02)
      faults.push(`${uri}: ${name} lasts ${(to - from).toFixed(3)} s, EXTINF says ${seconds}`);
  }
  for (const stream of [video, audio]) {
    const disorder = stream?.packets.findIndex(
      ({ decodedAt }, at, all) => at > 0 && decodedAt <= (all[at - 1]?.decodedAt ?? 0),
    );
    if (disorder !== undefined && disorder > 0) faults.push(`${uri}: packet ${disorder} goes back in time`);
  }
  if (video) checkPicture(uri, video, faults);
}

const endOf = (packets: readonly Packet[]) => Math.max(...packets.map(({ from, lasts }) => from + lasts));

function checkPicture(uri: string, video: Stream, faults: Faults): void {
  const { sample_aspect_ratio: shape = '1:1', pix_fmt: pixels, field_order: order = 'progressive' } = video;
  if (shape !== '1:1' && shape !== 'N/A') faults.push(`${uri}: its pixels are ${shape}, not square`);
  if (pixels !== 'yuv420p') faults.push(`${uri}: its pixels are ${pixels}, which few players can show`);
  if (order !== 'progressive') faults.push(`${uri}: it is interlaced (${order})`);
  const times = video.packets.map(({ from }) => from).toSorted((one, other) => one - other);
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  const usual = gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(gaps.length, 1);
  const odd = gaps.find((gap) => Math.abs(gap - usual) > 0.002);
  if (odd !== undefined) faults.push(`${uri}: a frame lasts ${odd.toFixed(3)} s, the others ${usual.toFixed(3)}`);
}

interface VariantOf {
  variant: types.Variant;
  own: Rendition;
  /** The renditions of its sound, when that is apart. */
  sounds: readonly Rendition[];
}

/** Checks what the master playlist says of a variant. */
export function checkVariant({ variant, own, sounds }: VariantOf, faults: Faults): void {
  const { uri, bandwidth, averageBandwidth, resolution, frameRate, codecs = '' } = variant;
  const { video } = own;
  const fault = (text: string) => void faults.push(`${uri}: ${text}`);

  const heaviest = (measure: (rendition: Rendition) => number) => Math.max(0, ...sounds.map(measure));
  // Sound that is a variant itself is played instead of another rendition, not beside it.
  const together = video ? (one: number, other: number) => one + other : Math.max;
  const peak = together(peakOf(own), heaviest(peakOf));
  if (bandwidth < peak) fault(`BANDWIDTH is ${bandwidth}, the measured peak ${Math.ceil(peak)}`);
  const average = together(averageOf(own), heaviest(averageOf));
  if (averageBandwidth !== undefined && Math.abs(averageBandwidth - average) > 0.1 * average + 1)
    fault(`AVERAGE-BANDWIDTH is ${averageBandwidth}, measured ${Math.round(average)}`);

  const streams = [video, own.audio, ...sounds.map(({ audio }) => audio)].filter((stream) => stream !== undefined);
  const contained = [...new Set(streams.map(codecOf))].toSorted();
  const said = codecs.split(',').map(withoutConstraints).toSorted();
  if (contained.join() !== said.join()) fault(`CODECS is ${codecs}, ffprobe finds ${contained.join()}`);

  if (!video) return;
  if (resolution?.width !== video.width || resolution?.height !== video.height)
    fault(`RESOLUTION is ${resolution?.width}x${resolution?.height}, the picture ${video.width}x${video.height}`);
  const rate = measuredRate(video);
  if (frameRate === undefined) fault('has no FRAME-RATE');
  else if (rate > 0 && Math.abs(frameRate - rate) > 0.01 * rate + 0.001)
    fault(`FRAME-RATE is ${frameRate}, measured ${rate.toFixed(3)}`);
}

/** Segments must begin at the same moments, so that a player can switch between variants. */
export function checkVariantsTogether(renditions: readonly Rendition[], faults: Faults): void {
  const [first, ...others] = renditions.map(({ uri, segments }) => ({
    uri,
    moments: segments.map(({ seconds }) => seconds.toFixed(2)).join(' '),
  }));
  for (const { uri, moments } of others)
    if (first && moments !== first.moments)
      faults.push(`${uri}: its segments last ${moments} s, those of ${first.uri} ${first.moments}`);
}

/** 4.3.4.2: the largest bit rate of segments in a row that together last between 0.5 and 1.5 target durations. */
function peakOf(rendition: Rendition): number {
  const { segments, targetDuration } = rendition;
  let peak = 0;
  for (let from = 0; from < segments.length; from += 1) {
    const sum = { seconds: 0, bytes: 0 };
    for (const { seconds, bytes } of segments.slice(from)) {
      sum.seconds += seconds;
      sum.bytes += bytes;
      if (sum.seconds > 1.5 * targetDuration) break;
      if (sum.seconds >= 0.5 * targetDuration) peak = Math.max(peak, (8 * sum.bytes) / sum.seconds);
    }
  }
  return peak > 0 ? peak : averageOf(rendition);
}

const averageOf = (rendition: Rendition) =>
  (8 * rendition.segments.reduce((sum, { bytes }) => sum + bytes, 0)) / Math.max(secondsOf(rendition), 0.001);

const avcProfiles: Record<string, string> = { 'Constrained Baseline': '42', Baseline: '42', Main: '4d', High: '64' };
const aacProfiles: Record<string, string> = { LC: '2', 'HE-AAC': '5', 'HE-AACv2': '29' };

/** Returns the codec by RFC 6381, the constraints of AVC replaced by `..`. */
function codecOf({ codec_name: codec, profile = '', level = 0 }: Stream): string {
  if (codec === 'h264') return `avc1.${avcProfiles[profile] ?? profile}..${level.toString(16).padStart(2, '0')}`;
  if (codec === 'aac') return `mp4a.40.${aacProfiles[profile] ?? profile}`;
  return codec;
}

const withoutConstraints = (codec: string) =>
  codec
    .trim()
    .replace(/^(avc1\.\w\w)\w\w(\w\w)$/i, '$1..$2')
    .toLowerCase();
