import { scaledTo, type Picture } from './picture.ts';

/** A rung as the transcoding profile defines it. */
export interface RungPlan {
  /** In pixels, of the shorter side. */
  height: number;
  videoBitrateKbps: number;
  audioBitrateKbps: number;
}

export interface Rung extends RungPlan {
  /** Its folder under `hls/`, such as `720p`. */
  name: string;
  /** In pixels, even numbers, in the aspect ratio of the source. */
  size: { width: number; height: number };
}

/** What the rungs are made from. */
export interface Source {
  /** Among all streams of the file. */
  videoIndex: number;
  picture: Picture;
  /** The first one becomes a part of every rung. */
  sounds: readonly Sound[];
  /** In seconds, of the picture; zero when it is unknown. */
  duration: number;
}

interface Sound {
  /** Among all streams of the file. */
  index: number;
  /** The folder of its rendition under `hls/`. */
  folder: string;
}

const even = (pixels: number) => Math.max(2, Math.round(pixels / 2) * 2);

/**
 * Returns the rungs for a source: none is taller than the source. A source smaller than all rungs gets the lowest one, in
 * its own size.
 */
export function rungsFor(plans: readonly RungPlan[], { width, height }: { width: number; height: number }): Rung[] {
  const shorter = Math.min(width, height);
  const highestFirst = plans.toSorted((one, other) => other.height - one.height);
  const fitting = highestFirst.filter((plan) => plan.height <= shorter);
  return (fitting.length > 0 ? fitting : highestFirst.slice(-1)).map((plan) => {
    const scale = Math.min(plan.height / shorter, 1);
    return {
      ...plan,
      name: `${Math.min(plan.height, even(shorter))}p`,
      size: { width: even(width * scale), height: even(height * scale) },
    };
  });
}

const SEGMENT_SECONDS = 4;
const KEY_FRAME_SECONDS = 2;

/** The option of ffmpeg by which picture and sound of a segment become fragments of their own. */
export const FRAGMENT_OPTIONS = 'hls_segment_options';

interface Outputs {
  folder: string;
  /** Whether picture and sound of a segment are fragments of their own, so that players can load the picture alone. */
  apart: boolean;
}

/**
 * Returns the arguments with which ffmpeg makes everything from one decoding: the rungs, as fragmented MP4 segments under
 * `<folder>/<rung>/`, with key frames at the same moments in every rung; and each track of sound alone. The playlist of
 * the lowest rung, the last one, grows while it is made.
 */
export function ladderArguments(rungs: readonly Rung[], source: Source, outputs: Outputs): string[] {
  const { videoIndex, picture, sounds, duration } = source;
  const whole = picture.filters === '' ? '' : `${picture.filters},`;
  const split = `[0:${videoIndex}]${whole}split=${rungs.length}${rungs.map((_rung, at) => `[s${at}]`).join('')}`;
  const scaled = rungs.map(({ size }, at) => `[s${at}]${scaledTo(size)}[v${at}]`);
  const [loudest] = rungs;
  return [
    '-filter_complex',
    [split, ...scaled].join(';'),
    ...rungs.flatMap((rung, at) => rungArguments(rung, at, { ...outputs, source, grows: at === rungs.length - 1 })),
    ...sounds.flatMap((sound) =>
      soundArguments(sound, { duration, kbps: loudest?.audioBitrateKbps ?? 128, folder: outputs.folder }),
    ),
  ];
}

const options = (text: string) => text.split(' ');

const encoding = options('-c:v libx264 -preset veryfast -pix_fmt yuv420p -profile:v high -x264-params open-gop=0');
const keyFrames = options(`-sc_threshold 0 -g 600 -force_key_frames expr:gte(t,n_forced*${KEY_FRAME_SECONDS})`);
const aac = (kbps: number) => options(`-c:a aac -b:a ${kbps}k -ac 2 -ar 48000`);

function segments(folder: string, type: 'vod' | 'event'): string[] {
  return [
    ...options(`-f hls -hls_time ${SEGMENT_SECONDS} -hls_playlist_type ${type} -hls_segment_type fmp4`),
    ...options('-hls_flags independent_segments+temp_file -hls_fmp4_init_filename init.mp4'),
    '-hls_segment_filename',
    `${folder}/seg_%05d.m4s`,
  ];
}

function rungArguments(
  { name, videoBitrateKbps, audioBitrateKbps }: Rung,
  at: number,
  { source, folder, apart, grows }: Outputs & { source: Source; grows: boolean },
): string[] {
  const [maxRate, buffer] = [Math.round(videoBitrateKbps * 1.07), Math.round(videoBitrateKbps * 1.5)];
  const [sound] = source.sounds;
  return [
    ...options(`-map [v${at}]`),
    ...(sound ? ['-map', `0:${sound.index}`, ...aac(audioBitrateKbps)] : []),
    ...encoding,
    ...source.picture.colors,
    ...keyFrames,
    ...options(`-b:v ${videoBitrateKbps}k -maxrate ${maxRate}k -bufsize ${buffer}k -map_metadata -1`),
    ...segments(`${folder}/${name}`, grows ? 'event' : 'vod'),
    ...(apart ? [`-${FRAGMENT_OPTIONS}`, 'movflags=+separate_moof'] : []),
    `${folder}/${name}/index.m3u8`,
  ];
}

/** A rendition begins with the picture and ends with it: players don't expect it to come late, or to end early. */
function soundArguments(
  { index, folder: name }: Sound,
  { duration, kbps, folder }: { duration: number; kbps: number; folder: string },
): string[] {
  const filled = ['aresample=async=1:first_pts=0', ...(duration > 0 ? ['apad'] : [])].join(',');
  return [
    ...options(`-map 0:${index} -af ${filled}`),
    ...(duration > 0 ? ['-t', String(duration)] : []),
    ...aac(kbps),
    ...options('-map_metadata -1'),
    ...segments(`${folder}/${name}`, 'vod'),
    `${folder}/${name}/index.m3u8`,
  ];
}
