import {
  dispositionsOf,
  languageOf,
  Probed,
  quarterTurns,
  ratio,
  secondsOfTag,
  titleOf,
  type ProbedStream,
} from './probed.ts';

/** The streams of a file. Times are in seconds from the start of the file. */
export interface Streams {
  /** ffprobe's names of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`; decided by content, not by the file's name. */
  format: string;
  /** Of the whole file. */
  duration: number | null;
  video: VideoStream | null;
  /** The first of `audios`. */
  audio: AudioStream | null;
  /** In the order of the file. */
  audios: AudioStream[];
  /** In the order of the file. */
  subtitles: SubtitleStream[];
}

interface Timing {
  startTime: number;
  duration: number | null;
  /** When it ends: a stream that starts late ends later than its duration says. */
  end: number | null;
}

export interface VideoStream extends Timing {
  /** Among all streams of the file: `-map 0:<index>`. */
  index: number;
  codec: string | null;
  profile: string | null;
  pixelFormat: string | null;
  /** In square pixels, as displayed: after the sample aspect ratio and rotation. */
  width: number;
  height: number;
  /** In pixels, as they are coded. */
  codedSize: { width: number; height: number };
  /** Clockwise, as a player turns the picture: 0, 90, 180 or 270. */
  rotation: number;
  /** ffprobe's words: progressive, tt, bb, tb, bt; null when the file does not say. */
  fieldOrder: string | null;
  color: Color;
  /** Of the output: constant, and at most 60; null when the file does not say. */
  framesPerSecond: number | null;
  /** Whether frames come at irregular times, or at another rate than `framesPerSecond`. */
  isVariableRate: boolean;
}

/** ffprobe's words, such as bt709, smpte2084 and bt2020nc; null where the file does not say. */
export interface Color {
  transfer: string | null;
  primaries: string | null;
  space: string | null;
  /** tv or pc. */
  range: string | null;
}

export interface AudioStream extends Timing {
  /** Among all streams of the file: `-map 0:<index>`. */
  index: number;
  codec: string | null;
  channels: number;
  /** As the file states it, mostly ISO 639-2, such as `eng`; null when it does not say. */
  language: string | null;
  title: string | null;
  isDefault: boolean;
  /** What the track is for, by ffmpeg's names, such as default and comment. */
  dispositions: string[];
}

interface SubtitleStream extends Timing {
  /** Among all streams of the file: `-map 0:<index>`. */
  index: number;
  codec: string | null;
  language: string | null;
  title: string | null;
  isDefault: boolean;
  dispositions: string[];
  /** Whether it can become WebVTT; the others are pictures. */
  isText: boolean;
}

/** Reads the output of ffprobe. The video is the first video stream that is no cover picture. */
export function readStreams(json: unknown): Streams {
  const { streams, format } = Probed.parse(json);
  const ofType = (type: string) =>
    streams.map((stream, at) => ({ ...stream, index: stream.index ?? at })).filter((each) => each.codec_type === type);
  const video = ofType('video').find((stream) => stream.disposition?.['attached_pic'] !== 1);
  const fileStart = format.start_time ?? 0;
  // A track without channels has no packets, as in a broadcast that was cut.
  const audios = ofType('audio')
    .filter(({ channels }) => channels !== 0)
    .map((stream) => describeAudio(stream, fileStart));
  return {
    format: format.format_name ?? '',
    duration: format.duration ?? null,
    video: video ? describeVideo(video, fileStart) : null,
    audio: audios[0] ?? null,
    audios,
    subtitles: ofType('subtitle').map((stream) => describeSubtitle(stream, fileStart)),
  };
}

type Indexed = ProbedStream & { index: number };

function describeVideo(stream: Indexed, fileStart: number): VideoStream {
  const { index, codec_name: codec, profile, pix_fmt: pixelFormat, width = 0, height = 0 } = stream;
  const wide = Math.round(width * pixelAspect(stream.sample_aspect_ratio));
  const rotation = rotationOf(stream);
  const isUpright = rotation % 180 === 0;
  return {
    index,
    codec: codec ?? null,
    profile: profile ?? null,
    pixelFormat: pixelFormat ?? null,
    width: isUpright ? wide : height,
    height: isUpright ? height : wide,
    codedSize: { width, height },
    rotation,
    fieldOrder: known(stream.field_order),
    color: {
      transfer: known(stream.color_transfer),
      primaries: known(stream.color_primaries),
      space: known(stream.color_space),
      range: known(stream.color_range),
    },
    ...outputRate(ratio(stream.r_frame_rate), ratio(stream.avg_frame_rate)),
    ...timingOf(stream, fileStart),
  };
}

function describeAudio(stream: Indexed, fileStart: number): AudioStream {
  const dispositions = dispositionsOf(stream);
  return {
    index: stream.index,
    codec: stream.codec_name ?? null,
    channels: stream.channels ?? 2,
    language: languageOf(stream),
    title: titleOf(stream),
    isDefault: dispositions.includes('default'),
    dispositions,
    ...timingOf(stream, fileStart),
  };
}

/** Subtitles that are text, by ffmpeg's names. */
const textCodecs = new Set(
  'subrip srt ass ssa webvtt mov_text text jacosub microdvd mpl2 pjs realtext sami stl subviewer subviewer1 vplayer'.split(
    ' ',
  ),
);

function describeSubtitle(stream: Indexed, fileStart: number): SubtitleStream {
  const dispositions = dispositionsOf(stream);
  return {
    index: stream.index,
    codec: stream.codec_name ?? null,
    language: languageOf(stream),
    title: titleOf(stream),
    isDefault: dispositions.includes('default'),
    dispositions,
    isText: textCodecs.has(stream.codec_name ?? ''),
    ...timingOf(stream, fileStart),
  };
}

const known = (word: string | undefined): string | null =>
  word === undefined || ['unknown', 'reserved', 'unspecified', 'N/A'].includes(word) ? null : word;

/** A file may claim any ratio; beyond this one it is an error of the file. */
const MOST_ASPECT = 20;

/** Returns how many times wider than high a pixel is. */
function pixelAspect(text: string | undefined): number {
  const value = ratio(text?.replace(':', '/')) ?? 1;
  return value > MOST_ASPECT || value < 1 / MOST_ASPECT ? 1 : value;
}

function rotationOf({ side_data_list: sideData = [], tags }: ProbedStream): number {
  const turned = sideData.map(({ rotation }) => rotation).find((degrees) => degrees !== undefined);
  return quarterTurns(turned ?? -Number(tags?.['rotate'] ?? 0));
}

function timingOf(stream: ProbedStream, fileStart: number): Timing {
  const startTime = Math.max(0, (stream.start_time ?? fileStart) - fileStart);
  if (stream.duration !== undefined) return { startTime, duration: stream.duration, end: startTime + stream.duration };
  // Matroska states only in a tag when a stream ends, by the clock of the file.
  const ends = secondsOfTag(stream);
  const end = ends === null ? null : Math.max(0, ends - fileStart);
  return { startTime, duration: end === null ? null : Math.max(0, end - startTime), end };
}

const MOST_FRAMES_PER_SECOND = 60;
const FEWEST_FRAMES_PER_SECOND = 1;
const MOST_REAL_FRAMES_PER_SECOND = 480;
const standardRates = [5, 10, 12, 12.5, 15, 24000 / 1001, 24, 25, 30000 / 1001, 30, 48, 50, 60000 / 1001, 60];
/** How far the two rates of a constant stream differ, by rounding of time stamps. */
const CONSTANT_WITHIN = 0.01;

/**
 * Chooses the constant rate of the output.
 *
 * @param base the least rate at which every time stamp is exact (`r_frame_rate`)
 * @param average frames by duration
 */
function outputRate(
  base: number | null,
  average: number | null,
): Pick<VideoStream, 'framesPerSecond' | 'isVariableRate'> {
  const measured = average ?? base;
  if (measured === null) return { framesPerSecond: null, isVariableRate: false };
  // Recordings of browsers: only the ticks of the clock are known.
  if (measured > MOST_REAL_FRAMES_PER_SECOND) return { framesPerSecond: 30, isVariableRate: true };
  const isConstant = base !== null && Math.abs(base - measured) <= CONSTANT_WITHIN * base;
  if (isConstant && base >= FEWEST_FRAMES_PER_SECOND) {
    // Every second or fourth frame is smoother than a rate of 60 from 100.
    const every = Math.ceil(base / (MOST_FRAMES_PER_SECOND * (1 + CONSTANT_WITHIN)));
    return { framesPerSecond: Math.min(base / every, MOST_FRAMES_PER_SECOND), isVariableRate: every > 1 };
  }
  const enough = standardRates.find((rate) => rate >= measured * (1 - CONSTANT_WITHIN));
  return { framesPerSecond: enough ?? MOST_FRAMES_PER_SECOND, isVariableRate: true };
}

/** A larger difference between sound and picture is trimmed. */
const TOLERANCE_SECONDS = 0.3;

/**
 * Returns the seconds to which a file is trimmed, so that sound and picture end together; null when they do already. Of
 * several sounds the one that ends last counts.
 */
export function trimTo({ video, audios }: Pick<Streams, 'video' | 'audios'>): number | null {
  const ends = audios.flatMap(({ end }) => (end === null || end === 0 ? [] : [end]));
  if (!video?.end || ends.length === 0) return null;
  const sound = Math.max(...ends);
  return Math.abs(video.end - sound) <= TOLERANCE_SECONDS ? null : Math.min(video.end, sound);
}
