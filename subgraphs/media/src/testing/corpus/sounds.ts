import { film, h264, picture, tone, type OddSource } from './source.ts';

const heard = (codec: string, given?: Parameters<typeof tone>[0]) => `${picture()} ${tone(given)} ${h264} ${codec}`;

/** A picture with several tones, and the language of each. */
const tracks = (languages: readonly string[], codec = '-c:a aac') =>
  [
    picture(),
    ...languages.map((_language, at) => tone({ seconds: 1, filters: `volume=${1 - at / 10}` })),
    '-map 0:v',
    ...languages.map((language, at) => `-map ${at + 1}:a ${language && `-metadata:s:a:${at} language=${language}`}`),
    h264,
    codec,
  ]
    .join(' ')
    .replaceAll(/ +/g, ' ');

/** Sound: codecs, channels, rates, tracks. */
export const sounds: readonly OddSource[] = [
  { file: 'no-sound.mp4', shows: 'no sound', made: `${picture()} ${h264}`, out: { audio: [] } },
  {
    file: 'only-sound.mp4',
    shows: 'sound without a picture in a video container',
    made: `${tone()} -c:a aac`,
    out: { fails: /There is no video/ },
  },
  {
    file: 'silence.mp4',
    shows: 'nothing to be heard',
    made: `${picture()} -t 1 -f lavfi -i anullsrc=r=48000:cl=stereo ${h264} -c:a aac`,
    out: {},
  },
  { file: 'telephone.avi', shows: '8 kHz, mono', made: heard('-c:a pcm_s16le', { rate: 8000 }), out: {} },
  { file: 'studio.mov', shows: '96 kHz with 24 bits', made: heard('-c:a pcm_s24le', { rate: 96_000 }), out: {} },
  { file: 'five-one.mkv', shows: '5.1 in AC-3', made: heard('-c:a ac3 -ac 6'), out: {} },
  { file: 'seven-one.mkv', shows: '7.1 in FLAC', made: heard('-c:a flac -ac 8'), out: {} },
  { file: 'layer-three.mp4', shows: 'MP3 in MP4', made: heard('-c:a libmp3lame', { rate: 44_100 }), out: {} },
  {
    file: 'two-languages.mp4',
    shows: 'sound in two languages',
    made: tracks(['eng', 'msa']),
    out: { audio: ['en', 'ms'] },
  },
  {
    file: 'three-languages.mkv',
    shows: 'sound in three languages',
    made: tracks(['eng', 'zho', 'tam']),
    out: { audio: ['en', 'zh', 'ta'] },
  },
  { file: 'commentary.mkv', shows: 'one language twice', made: tracks(['eng', 'eng']), out: { audio: ['en', 'en'] } },
  {
    file: 'unnamed-tracks.mp4',
    shows: 'two tracks without a language',
    made: tracks(['', '']),
    out: { audio: ['und', 'und'] },
  },
  {
    file: 'two-languages.ts',
    shows: 'two languages in a transport stream',
    made: tracks(['eng', 'fra'], '-c:a mp2'),
    out: { audio: ['en', 'fr'] },
  },
  {
    file: 'uneven-tracks.mkv',
    shows: 'a second language that is half as long',
    made: `${film({ sound: `${tone()} ${tone({ seconds: 0.5 })}` })} -map 0:v -map 1:a -map 2:a -metadata:s:a:0 language=eng -metadata:s:a:1 language=msa`,
    out: { audio: ['en', 'ms'] },
  },
];
