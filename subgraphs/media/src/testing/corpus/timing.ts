import { film, h264, picture, silent, tone, type OddSource } from './source.ts';

/** A picture and a tone of which one begins later, in seconds. */
const shifted = ({ picture: video = 0, sound = 0, seconds = 2 }) =>
  `${video ? `-itsoffset ${video} ` : ''}${picture({ seconds: seconds - video })} ` +
  `${sound ? `-itsoffset ${sound} ` : ''}${tone({ seconds: seconds - sound })} -map 0:v -map 1:a ${h264} -c:a aac`;
const groups = (options: string) => `${silent({ seconds: 3 })} ${options}`;

/** Frame rates, durations, starts and groups of pictures. */
export const timing: readonly OddSource[] = [
  {
    file: 'cinema.mp4',
    shows: '23.976 frames per second',
    made: film({ rate: '24000/1001' }),
    out: { rate: 24_000 / 1001 },
  },
  { file: 'too-smooth.mp4', shows: '120 frames per second', made: film({ rate: 120 }), out: { rate: 60 } },
  {
    file: 'slow.mp4',
    shows: 'one frame per second',
    made: film({ rate: 1, seconds: 3 }),
    out: { rate: 1, seconds: 3, within: 0.3 },
  },
  {
    file: 'slides.mkv',
    shows: 'a frame every five seconds',
    made: silent({ rate: '1/5', seconds: 10 }),
    out: { audio: [], rate: null, seconds: 10, within: 5.1 },
  },
  {
    file: 'uneven.mp4',
    shows: 'a frame rate that varies',
    made: `${silent({ rate: 30, seconds: 2, filters: 'select=not(between(n\\,10\\,25))*not(eq(n\\,40))' })} -vsync vfr`,
    out: { audio: [], rate: null, seconds: 2 },
  },
  {
    file: 'screen.webm',
    shows: 'a screen recording: frames only where something changed',
    made: `${picture({ rate: 30, seconds: 2, filters: 'select=eq(n\\,0)+eq(n\\,3)+between(n\\,20\\,24)+eq(n\\,59)' })} -vsync vfr -c:v libvpx -deadline realtime -cpu-used 8`,
    out: { audio: [], rate: null, seconds: 2 },
  },
  {
    file: 'single-frame.mp4',
    shows: 'a single frame',
    made: silent({ seconds: 0.04 }),
    out: { audio: [], seconds: 0.04 },
  },
  { file: 'tenth.mp4', shows: '0.1 s', made: film({ seconds: 0.1 }), out: { seconds: 0.1 } },
  { file: 'quarter.mp4', shows: '0.25 s', made: film({ seconds: 0.25 }), out: { seconds: 0.25 } },
  {
    file: 'two-segments.mp4',
    shows: '4.2 s: a last segment of five frames',
    made: film({ seconds: 4.2 }),
    out: { seconds: 4.2 },
  },
  {
    file: 'three-segments.mkv',
    shows: '9 s at 29.97 frames per second',
    made: film({ rate: '30000/1001', seconds: 9 }),
    out: { rate: 30_000 / 1001, seconds: 9 },
  },
  {
    file: 'late-sound.mp4',
    shows: 'sound that begins 0.6 s later',
    made: shifted({ sound: 0.6 }),
    out: { seconds: 2, soundFrom: 0.6 },
  },
  {
    file: 'late-sound.ts',
    shows: 'the same in a transport stream',
    made: shifted({ sound: 0.6 }),
    out: { seconds: 2, soundFrom: 0.6 },
  },
  {
    file: 'late-picture.mp4',
    shows: 'a picture that begins 0.6 s later',
    made: shifted({ picture: 0.6 }),
    out: { seconds: 2, soundFrom: 0 },
  },
  {
    file: 'long-sound.mp4',
    shows: 'sound that is a second longer',
    made: `${picture()} ${tone({ seconds: 2 })} ${h264} -c:a aac`,
    out: { within: 0.15 },
  },
  {
    file: 'short-sound.mkv',
    shows: 'sound that is a second shorter',
    made: `${picture({ seconds: 2 })} ${tone()} ${h264} -c:a aac`,
    out: { within: 0.15 },
  },
  {
    file: 'later-start.mkv',
    shows: 'a first frame at 10 s',
    made: `${film()} -output_ts_offset 10`,
    out: { soundFrom: 0 },
  },
  {
    file: 'wrapped.ts',
    shows: 'a clock that begins again at its greatest number',
    made: `${film()} -output_ts_offset 95443.2`,
    out: { soundFrom: 0 },
  },
  {
    file: 'negative-start.mp4',
    shows: 'an edit list: the first 0.4 s are not shown',
    made: `${silent({ seconds: 1.4 })} -bf 2 -output_ts_offset -0.4 -avoid_negative_ts disabled -use_editlist 1`,
    out: { audio: [], within: 0.45 },
  },
  {
    file: 'open-groups.mp4',
    shows: 'groups of pictures that refer to each other',
    made: groups('-x264-params open-gop=1:keyint=12:bframes=3 -preset medium'),
    out: { audio: [], seconds: 3 },
  },
  { file: 'one-group.mp4', shows: 'a single key frame', made: groups('-g 9999'), out: { audio: [], seconds: 3 } },
  {
    file: 'restarted.ts',
    shows: 'a transport stream whose clock starts again',
    made: [film(), film()],
    out: { seconds: 2, within: 0.3 },
  },
];
