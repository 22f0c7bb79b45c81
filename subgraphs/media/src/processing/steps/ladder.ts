import type { RungPlan } from '../../profiles/profile.ts';
import { scaledTo, type Picture } from './picture.ts';
import { options, teeOf, type Place } from './ladder-outputs.ts';

/** A rung of the ladder of one source. */
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
  /** Whether it begins and ends with the picture. */
  spansPicture: boolean;
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

/** How players load the picture of a rung alone: as the first fragment of each segment, or from files of its own. */
export type PictureAlone = 'fragment' | 'file';

/** The folder of the files of a picture alone, in the folder of its rung. */
export const PICTURE_FOLDER = 'picture';

interface Outputs {
  folder: string;
  /** Null where nobody needs it: there is one sound. */
  pictureAlone: PictureAlone | null;
}

/**
 * Returns the arguments with which ffmpeg makes everything from one decoding: the rungs, as fragmented MP4 segments under
 * `<folder>/<rung>/`, with key frames at the same moments in every rung; and each track of sound alone. The playlist of
 * the lowest rung, the last one, grows while it is made. What has the same sound shares one encoding of it.
 */
export function ladderArguments(rungs: readonly Rung[], source: Source, outputs: Outputs): string[] {
  const { videoIndex, picture, sounds, duration } = source;
  const whole = picture.filters === '' ? '' : `${picture.filters},`;
  const split = `[0:${videoIndex}]${whole}split=${rungs.length}${rungs.map((_rung, at) => `[s${at}]`).join('')}`;
  const scaled = rungs.map(({ size }, at) => `[s${at}]${scaledTo(size)}[v${at}]`);
  const numbered = rungs.map((rung, at) => ({ ...rung, at, grows: at === rungs.length - 1 }));
  const bySound = Map.groupBy(numbered, ({ audioBitrateKbps }) => (sounds.length > 0 ? audioBitrateKbps : 0));
  const kbps = rungs[0]?.audioBitrateKbps ?? 128;
  // It is the same as in the rungs of its bitrate.
  const shared = sounds.slice(0, 1).filter(({ spansPicture }) => spansPicture);
  return [
    '-filter_complex',
    [split, ...scaled].join(';'),
    ...[...bySound].flatMap(([ofSound, alike]) =>
      rungArguments(alike, { ...outputs, source, alone: ofSound === kbps ? shared : [] }),
    ),
    ...sounds
      .filter((sound) => !shared.includes(sound))
      .flatMap((sound) =>
        soundArguments(sound, { duration, kbps, framesPerSecond: picture.framesPerSecond, folder: outputs.folder }),
      ),
  ];
}

const KEY_FRAME_SECONDS = 2;

/**
 * Where a track begins before zero, ffmpeg moves all tracks, each by whole frames of its own, and evens the rest out by edit
 * lists, which browsers ignore: they would play sound and picture apart. So frames wait for later ones at most once, slow
 * ones never, and beside those the sound begins with the silence that AAC puts before it.
 */
const LEAST_RATE_WITH_B_FRAMES = 23;
const encoding = (framesPerSecond: number) => [
  ...options('-c:v libx264 -preset veryfast -pix_fmt yuv420p -profile:v high -x264-params open-gop=0:b-pyramid=none'),
  ...(framesPerSecond < LEAST_RATE_WITH_B_FRAMES ? options('-bf 0') : []),
];
/** Sound that begins late is preceded by silence: that would be an edit list, too. */
const filled = (framesPerSecond: number) =>
  `aresample=48000:async=1:first_pts=${framesPerSecond < LEAST_RATE_WITH_B_FRAMES ? AAC_FRAME : 0}`;
const AAC_FRAME = 1024;
const keyFrames = options(`-sc_threshold 0 -g 600 -force_key_frames expr:gte(t,n_forced*${KEY_FRAME_SECONDS})`);
const aac = (kbps: number) => options(`-c:a aac -b:a ${kbps}k -ac 2 -ar 48000`);

interface NumberedRung extends Rung {
  /** Its place among all rungs. */
  at: number;
  /** Whether its playlist grows while it is made. */
  grows: boolean;
}

/** Rungs with the same encoding of sound, and the renditions that have nothing else. */
function rungArguments(
  rungs: readonly NumberedRung[],
  { source, folder, pictureAlone, alone }: Outputs & { source: Source; alone: readonly Sound[] },
): string[] {
  const [sound] = source.sounds;
  const plain = { grows: false, apart: false };
  const places: Place[] = [
    ...rungs.flatMap(({ name, grows }, stream) => {
      const [own, picture] = [`${folder}/${name}`, `v:${stream}`];
      const rung = {
        folder: own,
        streams: [picture, ...(sound ? ['a'] : [])],
        grows,
        apart: pictureAlone === 'fragment',
      };
      const beside = { ...plain, folder: `${own}/${PICTURE_FOLDER}`, streams: [picture] };
      return pictureAlone === 'file' ? [rung, beside] : [rung];
    }),
    ...alone.map(({ folder: name }) => ({ ...plain, folder: `${folder}/${name}`, streams: ['a'] })),
  ];
  return [
    ...rungs.flatMap(({ at }) => options(`-map [v${at}]`)),
    ...(sound
      ? [
          '-map',
          `0:${sound.index}`,
          '-af',
          filled(source.picture.framesPerSecond),
          ...aac(rungs[0]?.audioBitrateKbps ?? 128),
        ]
      : []),
    ...encoding(source.picture.framesPerSecond),
    ...source.picture.colors,
    ...keyFrames,
    ...rungs.flatMap(({ videoBitrateKbps: kbps }, stream) => bitrate(kbps, stream)),
    ...options('-map_metadata -1'),
    ...teeOf(places),
  ];
}

const bitrate = (kbps: number, stream: number) =>
  options(
    `-b:v:${stream} ${kbps}k -maxrate:v:${stream} ${Math.round(kbps * 1.07)}k -bufsize:v:${stream} ${Math.round(kbps * 1.5)}k`,
  );

/** A rendition begins with the picture and ends with it: players don't expect it to come late, or to end early. */
function soundArguments(
  { index, folder: name }: Sound,
  {
    duration,
    kbps,
    framesPerSecond,
    folder,
  }: { duration: number; kbps: number; framesPerSecond: number; folder: string },
): string[] {
  const whole = [filled(framesPerSecond), ...(duration > 0 ? ['apad'] : [])].join(',');
  return [
    ...options(`-map 0:${index} -af ${whole}`),
    ...(duration > 0 ? ['-t', String(duration)] : []),
    ...aac(kbps),
    ...options('-map_metadata -1'),
    ...teeOf([{ folder: `${folder}/${name}`, streams: ['a'], grows: false, apart: false }]),
  ];
}
