import { cutAt, nonsenseInTheMiddle, zerosAfter } from './edits.ts';
import { film, picture, silent, type OddSource } from './source.ts';

const long = film({ seconds: 3 });
/** What can be played of it must come out whole, and the item says that something is missing; or it fails. */
const part = { damaged: true, seconds: 3, within: 3, rate: null } as const;

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
    out: part,
  },
  {
    file: 'cut-fragment.mp4',
    shows: 'fragmented MP4 that is cut off',
    made: `${long} -movflags +frag_keyframe+empty_moov -g 10`,
    edit: cutAt(0.55),
    out: part,
  },
  { file: 'cut.mkv', shows: 'Matroska that is cut off', made: long, edit: cutAt(0.5), out: part },
  {
    file: 'cut.ts',
    shows: 'a transport stream that is cut off within a packet',
    made: long,
    edit: cutAt(0.501),
    out: part,
  },
  {
    file: 'cut.avi',
    shows: 'AVI that is cut off',
    made: `${picture({ seconds: 3 })} -c:v mpeg4 -q:v 5`,
    edit: cutAt(0.5),
    out: { ...part, audio: [] },
  },
  {
    file: 'nonsense.ts',
    shows: 'nonsense in the middle of a transport stream',
    made: long,
    edit: nonsenseInTheMiddle(4000),
    out: part,
  },
  {
    file: 'nonsense.mp4',
    shows: 'nonsense in the middle of MP4',
    made: silent({ seconds: 3 }),
    edit: nonsenseInTheMiddle(3000),
    out: { ...part, audio: [] },
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
