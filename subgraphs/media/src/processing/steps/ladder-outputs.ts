/** A folder for segments and their playlist. */
export interface Place {
  folder: string;
  /** Those of the encoded streams that go there, as ffmpeg specifies streams: `v:0`, `a`. */
  streams: readonly string[];
  /** Whether the playlist grows while segments are made. */
  grows: boolean;
  /** Whether picture and sound of a segment are fragments of their own. */
  apart: boolean;
}

const SEGMENT_SECONDS = 4;

/** The option of ffmpeg by which picture and sound of a segment become fragments of their own. */
export const FRAGMENT_OPTIONS = 'hls_segment_options';

export const options = (text: string) => text.split(' ');

/** Returns the output of ffmpeg that writes each encoded stream to all places that have it. */
export const teeOf = (places: readonly Place[]): string[] => [
  // Segments don't begin with what decoders need: the initialization has it. ffmpeg asks for that only where it sees HLS.
  ...options('-flags +global_header -f tee'),
  places.map((place) => escaped(branch(place), /[\\'|]/g)).join('|'),
];

function branch({ folder, streams, grows, apart }: Place): string {
  const hls = {
    f: 'hls',
    select: streams.join(','),
    hls_time: String(SEGMENT_SECONDS),
    hls_playlist_type: grows ? 'event' : 'vod',
    hls_segment_type: 'fmp4',
    hls_flags: 'independent_segments+temp_file',
    hls_fmp4_init_filename: 'init.mp4',
    hls_segment_filename: `${folder}/seg_%05d.m4s`,
    ...(apart && { [FRAGMENT_OPTIONS]: 'movflags=+separate_moof' }),
  };
  const named = Object.entries(hls).map(([name, value]) => `${name}=${escaped(value, /[\\':\]]/g)}`);
  return `[${named.join(':')}]${folder}/index.m3u8`;
}

/** ffmpeg reads the list of branches first, and the options of a branch within it. */
const escaped = (text: string, special: RegExp) => text.replaceAll(special, String.raw`\$&`);
