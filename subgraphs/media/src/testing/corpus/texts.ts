import { bytesAsInput, film, h264, picture, silent, tone, type OddSource } from './source.ts';

const cues =
  '1\n00:00:00,100 --> 00:00:00,400\nGood evening\n\n2\n00:00:00,500 --> 00:00:00,900\n<i>Selamat</i> 晚上好\n';
const text = bytesAsInput('srt', cues);

/** A picture with a tone and subtitles in these languages. */
const subtitled = (codec: string, languages: readonly string[]) =>
  [
    `${picture()} ${tone()}`,
    ...languages.map(() => text),
    '-map 0:v -map 1:a',
    ...languages.map((language, at) => `-map ${at + 2}:s -metadata:s:s:${at} language=${language}`),
    `${h264} -c:a aac -c:s ${codec}`,
  ].join(' ');

/** A picture of eight by two pixels as a subtitle of a Blu-ray: five segments, and an end without a picture. */
function bitmap(): Buffer {
  const [showing, hiding] = [9000, 45_000]; // in 90 kHz
  const segment = (at: number, kind: number, bytes: readonly number[]) => {
    const header = Buffer.alloc(13);
    header.write('PG');
    header.writeUInt32BE(at, 2);
    header.writeUInt8(kind, 10);
    header.writeUInt16BE(bytes.length, 11);
    return Buffer.concat([header, Buffer.from(bytes)]);
  };
  const screen = [0, 128, 0, 72, 0x10];
  const line = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0];
  return Buffer.concat([
    segment(showing, 0x16, [...screen, 0, 0, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0, 8]),
    segment(showing, 0x17, [1, 0, 0, 8, 0, 8, 0, 8, 0, 2]),
    segment(showing, 0x14, [0, 0, 1, 235, 128, 128, 255]),
    segment(showing, 0x15, [0, 0, 0, 0xc0, 0, 0, 24, 0, 8, 0, 2, ...line, ...line]),
    segment(showing, 0x80, []),
    segment(hiding, 0x16, [...screen, 0, 1, 0, 0, 0, 0]),
    segment(hiding, 0x80, []),
  ]);
}

const cover = `${picture({ rate: 1, size: '64x64' })} -frames:v:1 1`;
const chapters = bytesAsInput(
  'ffmetadata',
  ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=one\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=two\n',
);

/** Subtitles, covers, data and chapters. */
export const texts: readonly OddSource[] = [
  { file: 'subtitles.mkv', shows: 'SubRip subtitles', made: subtitled('srt', ['eng']), out: { subtitles: ['en'] } },
  {
    file: 'subtitles.mp4',
    shows: 'timed text in MP4, in two languages',
    made: subtitled('mov_text', ['eng', 'msa']),
    out: { subtitles: ['en', 'ms'] },
  },
  {
    file: 'styled.mkv',
    shows: 'subtitles of SubStation Alpha',
    made: subtitled('ass', ['msa']),
    out: { subtitles: ['ms'] },
  },
  {
    file: 'subtitles.webm',
    shows: 'WebVTT in WebM',
    made: `${picture()} ${text} -map 0 -map 1 -c:v libvpx -deadline realtime -cpu-used 8 -c:s webvtt -metadata:s:s:0 language=eng`,
    out: { audio: [], subtitles: ['en'] },
  },
  {
    file: 'bitmaps.mkv',
    shows: 'subtitles that are pictures',
    made: `${picture()} ${bytesAsInput('sup', bitmap())} -map 0 -map 1 ${h264} -c:s copy`,
    out: { audio: [], warnings: ['SUBTITLES_SKIPPED'] },
  },
  {
    file: 'no-words.mkv',
    shows: 'subtitles and no sound',
    made: `${picture()} ${text} -map 0 -map 1 ${h264} -c:s srt`,
    out: { audio: [], subtitles: ['und'] },
  },
  {
    file: 'cover.mp4',
    shows: 'a cover beside the film',
    made: `${picture({ rate: 1, size: '64x64' })} ${picture()} ${tone()} -map 0 -map 1 -map 2 -c:v:0 mjpeg -c:v:1 libx264 -preset ultrafast -pix_fmt yuv420p -disposition:v:0 attached_pic -c:a aac`,
    out: {},
  },
  {
    file: 'only-cover.mp4',
    shows: 'sound with a cover, and no film',
    made: `${tone()} ${cover} -map 0 -map 1 -c:v mjpeg -frames:v 1 -disposition:v:0 attached_pic -c:a aac`,
    out: { fails: /There is no video/ },
  },
  {
    file: 'two-pictures.mkv',
    shows: 'two films, of which the first counts',
    made: `${picture()} ${picture({ size: '64x64' })} -map 0 -map 1 ${h264}`,
    out: { audio: [] },
  },
  {
    file: 'timecode.mov',
    shows: 'a data track with a timecode',
    made: `${silent()} -timecode 10:00:00:00`,
    out: { audio: [] },
  },
  {
    file: 'chapters.mp4',
    shows: 'chapters',
    made: `${film({ sound: `${tone()} ${chapters}` })} -map 0:v -map 1:a -map_metadata 2`,
    out: {},
  },
  {
    file: 'attachment.mkv',
    shows: 'metadata with signs of XML and HLS',
    made: `${film()} -metadata title=<&">#EXTM3U`,
    out: {},
  },
];
