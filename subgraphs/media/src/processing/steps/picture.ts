import type { MediaWarning } from '../warnings.ts';
import type { Color, VideoStream } from './streams.ts';

interface Size {
  width: number;
  height: number;
}

/** How ffmpeg turns the source into the frames that every rung and preview is scaled from. */
export interface Picture {
  /** Options before the input. */
  before: string[];
  /** Filters, separated by commas; empty when the frames can be taken as they are. */
  filters: string;
  /** Output options that state the colors. */
  colors: string[];
  /** By which colors are computed from the frames, as the filter `scale` names it. */
  matrix: string;
  /** The constant rate of the frames, and the same as ffmpeg reads it, such as 30000/1001. */
  framesPerSecond: number;
  warnings: MediaWarning[];
}

export interface PictureNeeds {
  /** The filters of this ffmpeg: some builds lack some. */
  abilities: ReadonlySet<string>;
  isInterlaced: boolean;
  /** The largest size that is made of it: nothing is computed on more pixels than needed. */
  largest: Size;
}

const ASSUMED_FRAMES_PER_SECOND = 25;

/** Returns the filters of the whole picture: deinterlaced, at a constant rate, in the colors of SDR, 8 bits deep. */
export function pictureOf(video: VideoStream, { abilities, isInterlaced, largest }: PictureNeeds): Picture {
  const framesPerSecond = video.framesPerSecond ?? ASSUMED_FRAMES_PER_SECOND;
  const deinterlaced = deinterlacing(video, { abilities, isInterlaced });
  const rate = video.isVariableRate || video.framesPerSecond === null ? [`fps=${rateText(framesPerSecond)}`] : [];
  const colored = coloring(video, { abilities, largest });
  return {
    before: deinterlaced.before,
    filters: [...deinterlaced.filters, ...rate, ...colored.filters].join(','),
    colors: tagged(colored.tags),
    matrix: matrixOf[colored.tags.space] ?? 'bt601',
    framesPerSecond,
    warnings: [...deinterlaced.warnings, ...colored.warnings],
  };
}

/** Returns the filters that scale the picture to a size in square pixels. */
export const scaledTo = ({ width, height }: Size): string => `scale=${width}:${height},setsar=1`;

function rateText(framesPerSecond: number): string {
  const ntsc = framesPerSecond * 1.001;
  if (Math.abs(ntsc - Math.round(ntsc)) < 1e-3 && Math.abs(framesPerSecond - Math.round(framesPerSecond)) > 1e-3)
    return `${Math.round(ntsc) * 1000}/1001`;
  return String(Math.round(framesPerSecond * 1000) / 1000);
}

const turns: Record<number, string[]> = {
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
};

/** Codecs whose single frames say whether they are interlaced, and the heights and rates at which broadcasts are. */
const flaggedCodecs = new Set(['h264', 'mpeg2video', 'vc1', 'dvvideo']);
const interlacedHeights = new Set([480, 486, 512, 576, 608, 1080, 1088]);
const MOST_INTERLACED_FRAMES_PER_SECOND = 30;

/** Whether some frames may be interlaced although the stream as a whole is not: they are deinterlaced at no cost to others. */
const mayMix = ({ codec, codedSize, framesPerSecond }: VideoStream) =>
  flaggedCodecs.has(codec ?? '') &&
  interlacedHeights.has(codedSize.height) &&
  (framesPerSecond ?? 0) <= MOST_INTERLACED_FRAMES_PER_SECOND;

/** One frame of each two fields. Lines belong together only before the picture is turned, so it is turned here. */
function deinterlacing(video: VideoStream, { abilities, isInterlaced }: Omit<PictureNeeds, 'largest'>) {
  const { rotation } = video;
  const filter = ['bwdif', 'yadif'].find((name) => abilities.has(name));
  if (!filter || !(isInterlaced || mayMix(video)))
    return { before: [], filters: [], warnings: isInterlaced ? [notDeinterlaced] : [] };
  return {
    before: rotation === 0 ? [] : ['-noautorotate'],
    filters: [`${filter}=mode=send_frame:deint=${isInterlaced ? 'all' : 'interlaced'}`, ...(turns[rotation] ?? [])],
    warnings: [],
  };
}

const notDeinterlaced: MediaWarning = {
  code: 'NOT_DEINTERLACED',
  message: 'The video is interlaced, and this server has no filter to deinterlace it: moving edges look like combs.',
};

const notToneMapped: MediaWarning = {
  code: 'HDR_NOT_TONE_MAPPED',
  message:
    'The video is HDR, and this server has no filter to convert it to SDR: its colors look pale on most screens.',
};

const isHdr = ({ transfer }: Color) => transfer === 'smpte2084' || transfer === 'arib-std-b67';

function coloring(video: VideoStream, { abilities, largest }: Pick<PictureNeeds, 'abilities' | 'largest'>) {
  const { color, pixelFormat } = video;
  if (isHdr(color) && abilities.has('zscale') && abilities.has('tonemap'))
    return { filters: toneMapping(color, largest), tags: bt709, warnings: [] };

  const isRgb = color.space === 'gbr' || /^(gbr|rgb|bgr|argb|abgr|pal8|0rgb|0bgr)/.test(pixelFormat ?? '');
  const isFullRange = color.range === 'pc' || pixelFormat?.startsWith('yuvj') === true;
  const convert = isRgb ? ['scale=out_color_matrix=bt709:out_range=tv'] : isFullRange ? ['scale=out_range=tv'] : [];
  const deep = pixelFormat === 'yuv420p' ? [] : ['format=yuv420p'];
  return {
    filters: [...convert, ...deep],
    tags: isRgb ? bt709 : statedColors(video),
    warnings: isHdr(color) ? [notToneMapped] : [],
  };
}

/** Takes 203 candela/m² for the white of SDR, as ITU-R BT.2408 does, and compresses what is brighter. */
function toneMapping({ transfer, primaries, space }: Color, { width, height }: Size): string[] {
  const stated = `tin=${transfer}:pin=${primaries === 'bt709' ? 'bt709' : 'bt2020'}`;
  const matrix = space === 'gbr' || space === 'bt709' ? space : 'bt2020nc';
  return [
    `scale=${width}:${height}`, // zscale can't read odd sizes, and floating point on all pixels of 4K is slow
    // Every step states its colors: what the source leaves open would stay unknown, and zscale would refuse it.
    `zscale=${stated}:min=${matrix}:rin=tv:t=linear:npl=203:p=bt709:m=gbr`,
    'format=gbrpf32le',
    'tonemap=mobius:desat=0',
    'zscale=tin=linear:pin=bt709:min=gbr:t=bt709:p=bt709:m=bt709:r=tv',
    'format=yuv420p',
  ];
}

interface Tags {
  primaries: string;
  transfer: string;
  space: string;
}

const bt709: Tags = { primaries: 'bt709', transfer: 'bt709', space: 'bt709' };

/** What every supported ffmpeg can write. */
const names: Record<keyof Tags, ReadonlySet<string>> = {
  primaries: new Set(['bt709', 'bt470bg', 'smpte170m', 'smpte240m', 'bt2020']),
  transfer: new Set(['bt709', 'smpte170m', 'smpte240m', 'iec61966-2-1', 'smpte2084', 'arib-std-b67']),
  space: new Set(['bt709', 'bt470bg', 'smpte170m', 'smpte240m', 'bt2020nc']),
};

const LEAST_LINES_OF_HD = 720;

/** Players guess unstated colors from the size: a small rung of an HD source would get those of SD. */
function statedColors({ color, codedSize: { height } }: VideoStream): Tags {
  const sd = height === 576 ? 'bt470bg' : 'smpte170m';
  const assumed = height >= LEAST_LINES_OF_HD ? bt709 : { primaries: sd, transfer: 'smpte170m', space: sd };
  const stated = (part: keyof Tags) => {
    const name = color[part];
    return name !== null && names[part].has(name) ? name : assumed[part];
  };
  return { primaries: stated('primaries'), transfer: stated('transfer'), space: stated('space') };
}

/** By ffmpeg's names of color spaces; the others are those of SD. */
const matrixOf: Record<string, string> = { bt709: 'bt709', smpte240m: 'smpte240m', bt2020nc: 'bt2020' };

const tagged = ({ primaries, transfer, space }: Tags): string[] => [
  '-color_primaries',
  primaries,
  '-color_trc',
  transfer,
  '-colorspace',
  space,
  '-color_range',
  'tv',
];
