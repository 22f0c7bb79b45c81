import { mirrored, turnedBy270, turnedBy90 } from './edits.ts';
import { film, h264, picture, silent, tone, type OddSource } from './source.ts';

const noSound = { audio: [] } as const;
const pixels = (format: string) => `${picture()} -c:v libx264 -preset ultrafast -pix_fmt ${format}`;
/** A picture of an odd size: the test picture itself is only made in even ones. */
const exactly = (size: string, seconds = 1) =>
  picture({ size: '162x92', seconds, filters: `format=yuv444p,crop=${size}:0:0` });
/** Half frames of a moving picture. @param first which of them comes first */
const bar = (rate: string, { seconds = 1, size = '128x72' } = {}) =>
  `-f lavfi -i color=black:s=${size}:r=${rate}:d=${seconds},geq=lum='if(lt(mod(X-8*N,64),16),235,16)':cb=128:cr=128`;
const halves = (first: 'top' | 'bottom', size = '128x72') => `${bar('50', { size })},tinterlace=interleave_${first}`;
/** Nobody interlaces fewer lines than those of television; the picture is narrow, and its pixels are wide. */
const unflagged = (first: 'top' | 'bottom') => `${halves(first, '160x360')},setfield=prog,setsar=4 ${h264}`;
const asPq = 'zscale=tin=bt709:min=bt709:pin=bt709:rin=tv:t=smpte2084:m=bt2020nc:p=bt2020:r=tv,format=yuv420p10le';
const asHlg = asPq.replace('smpte2084', 'arib-std-b67');
const wide = (transfer: string) => `-color_primaries bt2020 -color_trc ${transfer} -colorspace bt2020nc`;

/** Pixel formats, shapes, sizes, scan and dynamic range. */
export const pictures: readonly OddSource[] = [
  { file: 'ten-bits.mp4', shows: 'H.264 with 10 bits', made: pixels('yuv420p10le'), out: noSound },
  { file: 'four-two-two.mp4', shows: '4:2:2', made: pixels('yuv422p'), out: noSound },
  { file: 'four-four-four.mp4', shows: '4:4:4', made: pixels('yuv444p'), out: noSound },
  { file: 'gray.mp4', shows: 'no colors', made: pixels('gray'), out: noSound },
  {
    file: 'full-range.mp4',
    shows: 'full range',
    made: `${silent({ filters: 'scale=out_range=full' })} -color_range pc`,
    out: noSound,
  },
  {
    file: 'pal-wide.mp4',
    shows: '720×576 with pixels of 64:45, which is 16:9',
    made: film({ size: '720x576', seconds: 0.2, filters: 'setsar=64/45' }),
    out: { seconds: 0.2 },
  },
  {
    file: 'pal-wide.mpg',
    shows: 'the same in MPEG-2, which states 16:9',
    made: `${picture({ size: '720x576', seconds: 0.2 })} -c:v mpeg2video -q:v 6 -aspect 16:9`,
    out: { audio: [], seconds: 0.2 },
  },
  {
    file: 'anamorphic.mkv',
    shows: 'pixels of 4:3, by the display size of Matroska',
    made: silent({ size: '96x72', filters: 'setsar=4/3' }),
    out: noSound,
  },
  {
    file: 'tall-pixels.mp4',
    shows: 'pixels of 1:2',
    made: silent({ size: '256x72', filters: 'setsar=1/2' }),
    out: noSound,
  },
  {
    file: 'odd-pixels.mp4',
    shows: 'pixels of 255:16 in a narrow picture',
    made: silent({ size: '16x72', filters: 'setsar=255/16' }),
    out: { audio: [], aspect: (16 * 255) / 16 / 72 },
  },
  {
    file: 'turned-90.mp4',
    shows: 'turned by 90°, as phones do',
    made: film(),
    edit: turnedBy90,
    out: { aspect: 9 / 16 },
  },
  {
    file: 'turned-270.mp4',
    shows: 'turned by 270°',
    made: silent(),
    edit: turnedBy270,
    out: { audio: [], aspect: 9 / 16 },
  },
  {
    file: 'turned-anamorphic.mp4',
    shows: 'turned by 90°, with pixels of 4:3',
    made: silent({ size: '96x72', filters: 'setsar=4/3' }),
    edit: turnedBy90,
    out: { audio: [], aspect: 9 / 16 },
  },
  { file: 'mirrored.mp4', shows: 'mirrored', made: silent(), edit: mirrored, out: noSound },
  {
    file: 'dot.mkv',
    shows: 'a single pixel',
    made: `${exactly('1:1', 0.4)} -c:v ffv1`,
    out: { fails: /too small|no video/ },
  },
  {
    file: 'speck.mkv',
    shows: '3×5 pixels',
    made: `${exactly('3:5', 0.4)} -c:v ffv1`,
    out: { audio: [], aspect: 3 / 5, rungs: ['4p'], seconds: 0.4 },
  },
  {
    file: 'odd-size.mkv',
    shows: '161×91 pixels',
    made: `${exactly('161:91')} -c:v libx264 -preset ultrafast`,
    out: { audio: [], aspect: 161 / 91 },
  },
  {
    file: 'smaller-than-all.mp4',
    shows: 'smaller than every rung',
    made: film({ size: '56x32' }),
    out: { aspect: 56 / 32, rungs: ['32p'] },
  },
  {
    file: 'very-wide.mp4',
    shows: 'fifty times as wide as high',
    made: silent({ size: '2000x40' }),
    out: { audio: [], aspect: 50, rungs: ['36p'] },
  },
  {
    file: 'very-tall.mp4',
    shows: 'fifty times as high as wide',
    made: silent({ size: '40x2000' }),
    out: { audio: [], aspect: 1 / 50, rungs: ['36p'] },
  },
  {
    file: 'changing-size.ts',
    shows: 'a size that changes',
    made: [silent(), silent({ size: '64x36' })],
    out: { audio: [], seconds: 2, within: 0.3 },
  },
  {
    file: 'top-first.mp4',
    shows: 'interlaced, top field first, flagged',
    made: `${halves('top')} ${tone()} ${h264} -c:a aac -x264opts tff=1`,
    out: { deinterlaced: true },
  },
  {
    file: 'bottom-first.mp4',
    shows: 'interlaced, bottom field first, flagged',
    made: `${halves('bottom')} ${h264} -x264opts bff=1`,
    out: { audio: [], deinterlaced: true },
  },
  {
    file: 'interlaced.mpg',
    shows: 'interlaced MPEG-2, as of television',
    made: `${halves('top')} -c:v mpeg2video -q:v 4 -flags +ildct+ilme -top 1`,
    out: { audio: [], deinterlaced: true },
  },
  {
    file: 'unflagged-top.mp4',
    shows: 'interlaced, top field first, not flagged',
    made: unflagged('top'),
    out: { audio: [], deinterlaced: true },
  },
  {
    file: 'unflagged-bottom.mkv',
    shows: 'interlaced, bottom field first, not flagged',
    made: unflagged('bottom'),
    out: { audio: [], deinterlaced: true },
  },
  {
    file: 'fine-lines.mp4',
    shows: 'progressive, with moving lines as of combs',
    made: `-f lavfi -i color=black:s=160x360:r=25:d=1,geq=lum='if(mod(Y\\,2)\\,clip(235-mod(X+8*N\\,200)\\,16\\,235)\\,16)':cb=128:cr=128,setsar=4 ${h264}`,
    out: noSound,
  },
  {
    file: 'fine-pattern.avi',
    shows: 'progressive, with a fine pattern, in a codec that does not say so',
    made: `${picture({ size: '640x360' })} -c:v mjpeg -q:v 4`,
    out: noSound,
  },
  {
    file: 'telecine.mp4',
    shows: 'a film of 24 frames as 60 half frames',
    made: `${bar('24000/1001', { seconds: 2 })},telecine ${h264} -x264opts tff=1`,
    out: { audio: [], rate: 30_000 / 1001, seconds: 2, deinterlaced: true },
  },
  {
    file: 'dv.avi',
    shows: 'DV: interlaced, pixels of 16:15',
    made: `${bar('50', { size: '90x72', seconds: 0.6 })},scale=720:576:flags=neighbor,tinterlace=interleave_bottom,setsar=16/15 -c:v dvvideo -pix_fmt yuv420p`,
    out: { audio: [], aspect: 4 / 3, seconds: 0.6, deinterlaced: true },
  },
  {
    file: 'perceptual.mp4',
    shows: 'HDR with PQ in HEVC',
    made: `${picture({ filters: asPq })} -c:v libx265 -preset ultrafast -x265-params log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc ${wide('smpte2084')} -tag:v hvc1`,
    out: { audio: [], toneMapped: true },
  },
  {
    file: 'hybrid.mkv',
    shows: 'HDR with HLG in H.264',
    made: `${picture({ filters: asHlg })} -c:v libx264 -preset ultrafast ${wide('arib-std-b67')}`,
    out: { audio: [], toneMapped: true },
  },
];
