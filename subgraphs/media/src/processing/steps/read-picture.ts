import type { Services } from '../../context.ts';
import { findInterlacing } from './interlacing.ts';
import { pictureOf, type Picture, type PictureNeeds } from './picture.ts';
import type { VideoStream } from './streams.ts';

interface Source {
  file: string;
  video: VideoStream;
  /** Undefined where nobody has looked yet. */
  isInterlaced: boolean | undefined;
  largest: PictureNeeds['largest'];
  signal: AbortSignal;
}

/** Finds out how the picture of a file is turned into frames by the ffmpeg of this server. */
export async function readPicture(needs: Pick<Services, 'transcoder'>, source: Source): Promise<Picture> {
  const { video, largest, isInterlaced = await findInterlacing(needs, source) } = source;
  return pictureOf(video, { abilities: await needs.transcoder.filters(), isInterlaced, largest });
}
