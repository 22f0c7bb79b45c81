import type { Services } from '../../context.ts';
import { pictureOf, type Picture, type PictureNeeds } from './picture.ts';
import type { VideoStream } from './streams.ts';

interface Source {
  file: string;
  video: VideoStream;
  largest: PictureNeeds['largest'];
  signal: AbortSignal;
}

type Needs = Pick<Services, 'transcoder'>;

/** Finds out how the picture of a file is turned into frames by the ffmpeg of this server. */
export async function readPicture(needs: Needs, source: Source): Promise<Picture> {
  const { video, largest } = source;
  const abilities = await needs.transcoder.filters();
  const isInterlaced =
    video.fieldOrder === null
      ? abilities.has('idet') && mayBeInterlaced(video) && (await looksInterlaced(needs, source))
      : video.fieldOrder !== 'progressive';
  return pictureOf(video, { abilities, isInterlaced, largest });
}

/** Codecs that can be interlaced and may not say so. */
const silentCodecs = new Set(
  'h264 mpeg1video mpeg2video mpeg4 msmpeg4v3 wmv3 vc1 mjpeg prores dnxhd dvvideo ffv1 huffyuv ffvhuff utvideo rawvideo v210 jpeg2000 cfhd'.split(
    ' ',
  ),
);
const LEAST_HEIGHT = 288;
const MOST_HEIGHT = 1088;

const mayBeInterlaced = ({ codec, codedSize: { height } }: VideoStream) =>
  silentCodecs.has(codec ?? '') && height > LEAST_HEIGHT && height <= MOST_HEIGHT;

const SAMPLE_FRAMES = 40;
const FEWEST_DECIDED_FRAMES = 8;
/** Fine moving patterns of a progressive picture look interlaced in some frames. */
const LEAST_SHARE = 0.9;

/** Asks ffmpeg's detector about a sample of the frames. */
async function looksInterlaced({ transcoder }: Needs, { file, video, signal }: Source): Promise<boolean> {
  const from = Math.max(0, (video.duration ?? 0) * 0.25);
  const said = await transcoder.convert(
    {
      input: file,
      before: ['-ss', from.toFixed(3)],
      after: ['-map', `0:${video.index}`, '-vf', 'idet', '-frames:v', String(SAMPLE_FRAMES), '-f', 'null', '-'],
    },
    { signal, timeoutMs: 120_000 },
  );
  const [, top = 0, bottom = 0, progressive = 0] = (
    /Multi frame detection: TFF: *(\d+) *BFF: *(\d+) *Progressive: *(\d+)/.exec(said) ?? []
  ).map(Number);
  const [interlaced, decided] = [top + bottom, top + bottom + progressive];
  return decided >= FEWEST_DECIDED_FRAMES && interlaced >= LEAST_SHARE * decided;
}
