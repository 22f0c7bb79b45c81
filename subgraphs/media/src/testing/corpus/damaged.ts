import { cutAt, cutBetweenFragments, nonsenseInTheMiddle, zerosAfter } from './edits.ts';
import { film, h264, picture, silent, tone, type OddSource } from './source.ts';

const long = film({ seconds: 3 });
/** What can be played of it must come out whole, and the item says what is wrong. */
const part = { seconds: 3, within: 3, rate: null } as const;
const cut = { ...part, warnings: ['TRUNCATED'] } as const;
const broken = { ...part, warnings: ['DAMAGED'] } as const;
const both = `${picture({ seconds: 3 })} ${tone({ seconds: 3 })}`;

/** Files that are not whole. */
export const damaged: readonly OddSource[] = [
  {
    file: 'without-index.mp4',
    shows: 'MP4 that is cut off before its index',
    made: long,
    edit: cutAt(0.7),
    out: { fails: /can not be read as media/ },
  },
  {
    file: 'cut.mp4',
    shows: 'MP4 that is cut off behind its index',
    made: `${long} -movflags +faststart`,
    edit: cutAt(0.5),
    out: cut,
  },
  {
    file: 'cut-fragment.mp4',
    shows: 'fragmented MP4 that is cut off',
    made: `${long} -movflags +frag_keyframe+empty_moov -g 10`,
    edit: cutAt(0.55),
    out: cut,
  },
  {
    file: 'cut-between-fragments.mp4',
    shows: 'fragmented MP4 that is cut off between two fragments',
    made: `${long} -movflags +frag_keyframe+empty_moov -g 10`,
    edit: cutBetweenFragments,
    out: cut,
  },
  {
    file: 'cut.mov',
    shows: 'QuickTime that is cut off behind its index',
    made: `${both} ${h264} -c:a pcm_s16le -movflags +faststart`,
    edit: cutAt(0.5),
    out: cut,
  },
  { file: 'cut.mkv', shows: 'Matroska that is cut off', made: long, edit: cutAt(0.5), out: cut },
  {
    file: 'cut.ts',
    shows: 'a transport stream that is cut off within a packet',
    made: long,
    edit: cutAt(0.501),
    out: cut,
  },
  {
    file: 'cut.mpg',
    shows: 'an MPEG-2 program stream that is cut off',
    made: `${both} -c:v mpeg2video -q:v 4 -c:a mp2`,
    edit: cutAt(0.5),
    out: cut,
  },
  {
    file: 'cut.mxf',
    shows: 'MXF that is cut off',
    made: `${both} -c:v mpeg2video -q:v 4 -c:a pcm_s16le`,
    edit: cutAt(0.5),
    out: cut,
  },
  {
    file: 'cut.wmv',
    shows: 'Windows Media that is cut off',
    made: `${both} -c:v wmv2 -q:v 4 -c:a wmav2`,
    edit: cutAt(0.5),
    out: cut,
  },
  {
    file: 'cut.avi',
    shows: 'AVI that is cut off',
    made: `${picture({ seconds: 3 })} -c:v mpeg4 -q:v 5`,
    edit: cutAt(0.5),
    out: { ...cut, audio: [] },
  },
  {
    file: 'nonsense.ts',
    shows: 'nonsense in the middle of a transport stream',
    made: long,
    edit: nonsenseInTheMiddle(4000),
    out: broken,
  },
  {
    file: 'nonsense.mp4',
    shows: 'nonsense in the middle of MP4',
    made: silent({ seconds: 3 }),
    edit: nonsenseInTheMiddle(3000),
    out: { ...broken, audio: [] },
  },
  { file: 'zeros.mp4', shows: 'zeros behind the end', made: film(), edit: zerosAfter(10_000), out: {} },
  {
    file: 'text.mp4',
    shows: 'text that is named MP4',
    made: film(),
    edit: () => Buffer.from('This is no film.\n'),
    out: { fails: /can not be read as media/ },
  },
  {
    file: 'playlist.mp4',
    shows: 'a playlist that names a file of the server',
    made: film(),
    edit: () => Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n'),
    out: { fails: /can not be read as media/ },
  },
];
