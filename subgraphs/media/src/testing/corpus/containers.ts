import { film, h264, picture, silent, tone, type OddSource } from './source.ts';

const both = `${picture()} ${tone()}`;

/** Containers and codecs. */
export const containers: readonly OddSource[] = [
  { file: 'plain.mp4', shows: 'H.264 and AAC in MP4, the index at the end', made: film(), out: {} },
  { file: 'faststart.mp4', shows: 'the same, the index in front', made: `${film()} -movflags +faststart`, out: {} },
  {
    file: 'fragmented.mp4',
    shows: 'fragmented MP4',
    made: `${film()} -movflags +frag_keyframe+empty_moov+default_base_moof -g 10`,
    out: {},
  },
  { file: 'quicktime.mov', shows: 'H.264 and PCM in QuickTime', made: `${both} ${h264} -c:a pcm_s16le`, out: {} },
  { file: 'matroska.mkv', shows: 'H.264 and AAC in Matroska', made: film(), out: {} },
  {
    file: 'live.mkv',
    shows: 'Matroska without durations, as a recording of a browser',
    made: `${film()} -live 1`,
    out: {},
  },
  { file: 'transport.ts', shows: 'a transport stream, which begins at 1.4 s', made: film(), out: {} },
  { file: 'flash.flv', shows: 'H.264 and AAC in FLV', made: film(), out: {} },
  {
    file: 'xvid.avi',
    shows: 'MPEG-4 part 2 and MP3 in AVI',
    made: `${both} -c:v mpeg4 -q:v 5 -c:a libmp3lame`,
    out: {},
  },
  {
    file: 'motion-jpeg.avi',
    shows: 'Motion JPEG in full range, PCM',
    made: `${both} -c:v mjpeg -q:v 4 -pix_fmt yuvj420p -c:a pcm_s16le`,
    out: {},
  },
  {
    file: 'program.mpg',
    shows: 'an MPEG-2 program stream with MP2',
    made: `${both} -c:v mpeg2video -q:v 4 -c:a mp2`,
    out: {},
  },
  {
    file: 'exchange.mxf',
    shows: 'MPEG-2 and PCM in MXF',
    made: `${both} -c:v mpeg2video -q:v 4 -c:a pcm_s16le`,
    out: {},
  },
  { file: 'phone.3gp', shows: 'MPEG-4 part 2 and AAC in 3GP', made: `${both} -c:v mpeg4 -q:v 5 -c:a aac`, out: {} },
  { file: 'windows.wmv', shows: 'Windows Media', made: `${both} -c:v wmv2 -q:v 4 -c:a wmav2`, out: { within: 0.2 } },
  {
    file: 'theora.ogv',
    shows: 'Theora and Vorbis in Ogg',
    made: `${both} -c:v libtheora -q:v 5 -c:a libvorbis`,
    out: {},
  },
  {
    file: 'eight.webm',
    shows: 'VP8 and Vorbis in WebM',
    made: `${both} -c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis`,
    out: {},
  },
  {
    file: 'nine.webm',
    shows: 'VP9 and Opus in WebM',
    made: `${both} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus`,
    out: {},
  },
  {
    file: 'one.mkv',
    shows: 'AV1 and Opus in Matroska',
    made: `${picture({ seconds: 0.6 })} ${tone({ seconds: 0.6 })} -c:v libaom-av1 -usage realtime -cpu-used 8 -c:a libopus`,
    out: { seconds: 0.6 },
  },
  {
    file: 'hevc.mp4',
    shows: 'HEVC in MP4',
    made: `${both} -c:v libx265 -preset ultrafast -x265-params log-level=error -tag:v hvc1 -c:a aac`,
    out: {},
  },
  {
    file: 'prores.mov',
    shows: 'ProRes 4:2:2 with 10 bits, PCM with 24',
    made: `${picture({ seconds: 0.6 })} ${tone({ seconds: 0.6 })} -c:v prores_ks -profile:v 0 -c:a pcm_s24le`,
    out: { seconds: 0.6 },
  },
  {
    file: 'dnx.mov',
    shows: 'DNxHR of 720 lines',
    made: `${picture({ size: '1280x720', seconds: 0.12 })} -c:v dnxhd -profile:v dnxhr_lb -pix_fmt yuv422p`,
    out: { audio: [], seconds: 0.12 },
  },
  {
    file: 'animation.gif',
    shows: 'a container that is not accepted',
    made: picture({ seconds: 0.4 }),
    out: { fails: /can not be read as media/ },
  },
  { file: 'wrong-name.avi', shows: 'MP4 that is named AVI', made: film(), madeAs: 'mp4', out: {} },
  { file: 'wrong-name.mp4', shows: 'Matroska that is named MP4', made: film(), madeAs: 'mkv', out: {} },
  { file: 'no-name', shows: 'MP4 without an extension', made: film(), madeAs: 'mp4', out: {} },
  { file: 'Fäden 電影 – ②.mp4', shows: 'a name outside of ASCII', made: silent(), madeAs: 'mp4', out: { audio: [] } },
];
