// For tests: the shape of the corpus of odd sources, and the words that describe them.

/** A file such as people upload, with what must come out of it. */
export interface OddSource {
  /** The name of the file, unique in the corpus. */
  file: string;
  /** What is odd about it, for docs/testing.md. */
  shows: string;
  /** The arguments of ffmpeg before its output, separated by spaces; several files are joined. */
  made: string | readonly string[];
  /** The extension that ffmpeg writes, where the name of the file says another. */
  madeAs?: string;
  /** Changes the bytes that ffmpeg wrote. */
  edit?: (bytes: Buffer) => Buffer;
  out: ComesOut | Fails;
}

/** What must come out; what is left out is as for {@link usual}. */
export interface ComesOut {
  /** Width divided by height, as displayed. */
  aspect?: number;
  /** The folders of the rungs under `hls/`. */
  rungs?: readonly string[];
  /** The frames per second of every rung; null where only their evenness matters. */
  rate?: number | null;
  /** The duration of every rung. */
  seconds?: number;
  /** By how much that may differ, in seconds. */
  within?: number;
  /** The languages of the audio renditions; `und` where the file names none. */
  audio?: readonly string[];
  /** When the sound begins, in seconds from the first frame; for sources where that is in question. */
  soundFrom?: number;
  subtitles?: readonly string[];
  /** Whether the picture was interlaced, and must not be any more. */
  deinterlaced?: true;
  /** Whether the picture has a high dynamic range, which must be mapped to the standard one. */
  toneMapped?: true;
  /** The codes of the warnings of the item. */
  warnings?: readonly string[];
}

/** The item must fail, with a reason for people. */
interface Fails {
  fails: RegExp;
}

/** What comes out of an ordinary film of the corpus. */
export const usual = {
  aspect: 16 / 9,
  rungs: ['72p', '36p'],
  rate: 25,
  seconds: 1,
  within: 0.12,
  audio: ['und'],
  subtitles: [],
  warnings: [],
} as const satisfies ComesOut;

/** The rungs of the profile of the corpus. */
export const rungsOfTheCorpus = [
  { height: 72, videoBitrateKbps: 200, audioBitrateKbps: 64 },
  { height: 36, videoBitrateKbps: 80, audioBitrateKbps: 48 },
];

interface Picture {
  size?: string;
  /** Frames per second. */
  rate?: string | number;
  seconds?: number;
  /** Filters behind the picture. */
  filters?: string;
}

/** A test picture that moves. */
export const picture = ({ size = '128x72', rate = 25, seconds = 1, filters = '' }: Picture = {}) =>
  `-f lavfi -i testsrc2=s=${size}:r=${rate}:d=${seconds}${filters && `,${filters}`}`;

/** A tone. @param rate samples per second */
export const tone = ({ seconds = 1, rate = 48_000, filters = '' } = {}) =>
  `-f lavfi -i sine=f=440:r=${rate}:d=${seconds}${filters && `,${filters}`}`;

export const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';

/** An ordinary film: a picture, a tone, H.264 and AAC. */
export const film = ({ sound = '', ...given }: Picture & { sound?: string } = {}) =>
  `${picture(given)} ${sound || tone(given.seconds ? { seconds: given.seconds } : {})} ${h264} -c:a aac`;

/** The same without sound. */
export const silent = (given: Picture = {}) => `${picture(given)} ${h264}`;

/** An input of ffmpeg that is given by its bytes. */
export const bytesAsInput = (format: string, bytes: Buffer | string) =>
  `-f ${format} -i data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
