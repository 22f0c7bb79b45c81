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

interface Source {
  width: number;
  height: number;
  hasAudio: boolean;
  framesPerSecond: number | null;
}

const even = (pixels: number) => Math.max(2, Math.round(pixels / 2) * 2);

/**
 * Returns the rungs for a source: none is taller than the source. A source smaller than all rungs gets the lowest one, in
 * its own size.
 */
export function rungsFor(plans: readonly RungPlan[], { width, height }: Pick<Source, 'width' | 'height'>): Rung[] {
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
const MOST_FRAMES_PER_SECOND = 60;

/**
 * Returns the arguments with which ffmpeg makes all rungs from one decoding: fragmented MP4 segments under
 * `<folder>/<rung>/`, with key frames at the same moments in every rung.
 */
export function ladderArguments(
  rungs: readonly Rung[],
  { hasAudio, framesPerSecond }: Source,
  folder: string,
): string[] {
  const rate = (framesPerSecond ?? 0) > MOST_FRAMES_PER_SECOND ? `fps=${MOST_FRAMES_PER_SECOND},` : '';
  const split = `[0:v:0]${rate}split=${rungs.length}${rungs.map((_rung, at) => `[s${at}]`).join('')}`;
  const scaled = rungs.map(({ size }, at) => `[s${at}]scale=${size.width}:${size.height},setsar=1[v${at}]`);
  return [
    '-filter_complex',
    [split, ...scaled].join(';'),
    ...rungs.flatMap((rung, at) => rungArguments(rung, at, { hasAudio, folder })),
  ];
}

const options = (text: string) => text.split(' ');

const encoding = options('-c:v libx264 -preset veryfast -pix_fmt yuv420p -profile:v high -x264-params open-gop=0');
const keyFrames = options(`-sc_threshold 0 -g 600 -force_key_frames expr:gte(t,n_forced*${KEY_FRAME_SECONDS})`);
const segments = options(
  `-f hls -hls_time ${SEGMENT_SECONDS} -hls_playlist_type vod -hls_flags independent_segments -hls_segment_type fmp4`,
);

function rungArguments(
  { name, videoBitrateKbps, audioBitrateKbps }: Rung,
  at: number,
  { hasAudio, folder }: { hasAudio: boolean; folder: string },
): string[] {
  const [maxRate, buffer] = [Math.round(videoBitrateKbps * 1.07), Math.round(videoBitrateKbps * 1.5)];
  const sound = hasAudio ? options(`-map 0:a:0 -c:a aac -b:a ${audioBitrateKbps}k -ac 2 -ar 48000`) : [];
  const files = ['-hls_fmp4_init_filename', 'init.mp4', '-hls_segment_filename', `${folder}/${name}/seg_%05d.m4s`];
  return [
    ...options(`-map [v${at}]`),
    ...sound,
    ...encoding,
    ...keyFrames,
    ...options(`-b:v ${videoBitrateKbps}k -maxrate ${maxRate}k -bufsize ${buffer}k -map_metadata -1`),
    ...segments,
    ...files,
    `${folder}/${name}/index.m3u8`,
  ];
}
