import { z } from 'zod';

const Stream = z.object({
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  profile: z.coerce.string().optional(),
  pix_fmt: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  channels: z.number().optional(),
  avg_frame_rate: z.string().optional(),
  duration: z.coerce.number().optional(),
  tags: z.object({ DURATION: z.string().optional() }).optional(),
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});

const Probed = z.object({
  streams: z.array(Stream).default([]),
  format: z.object({ duration: z.coerce.number().optional(), format_name: z.string().optional() }).default({}),
});

/** The entries that ffprobe must show. */
export const streamEntries =
  'format=duration,format_name:stream=codec_type,codec_name,profile,pix_fmt,width,height,channels,avg_frame_rate,duration' +
  ':stream_tags=DURATION:stream_disposition=attached_pic:stream_side_data=rotation';

export interface Streams {
  /** In seconds, of the whole file. */
  duration: number | null;
  video: VideoStream | null;
  audio: AudioStream | null;
}

interface VideoStream {
  codec: string | null;
  profile: string | null;
  pixelFormat: string | null;
  /** In pixels, as displayed: after rotation. */
  width: number;
  height: number;
  framesPerSecond: number | null;
  /** In seconds. */
  duration: number | null;
}

interface AudioStream {
  codec: string | null;
  channels: number;
  /** In seconds. */
  duration: number | null;
}

/** Reads the output of ffprobe: the first video stream that is no cover picture, and the first audio stream. */
export function readStreams(json: unknown): Streams {
  const { streams, format } = Probed.parse(json);
  const video = streams.find((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1);
  const audio = streams.find((stream) => stream.codec_type === 'audio');
  return {
    duration: format.duration ?? null,
    video: video ? describeVideo(video) : null,
    audio: audio
      ? { codec: audio.codec_name ?? null, channels: audio.channels ?? 2, duration: durationOf(audio) }
      : null,
  };
}

function describeVideo(stream: z.output<typeof Stream>): VideoStream {
  const { codec_name: codec, profile, pix_fmt: pixelFormat, width = 0, height = 0 } = stream;
  const isRotated = (stream.side_data_list ?? []).some(({ rotation }) => Math.abs(rotation ?? 0) % 180 === 90);
  return {
    codec: codec ?? null,
    profile: profile ?? null,
    pixelFormat: pixelFormat ?? null,
    width: isRotated ? height : width,
    height: isRotated ? width : height,
    framesPerSecond: ratio(stream.avg_frame_rate),
    duration: durationOf(stream),
  };
}

/** Matroska states the duration of a stream only in a tag. */
function durationOf({ duration, tags }: z.output<typeof Stream>): number | null {
  if (duration !== undefined) return duration;
  const [hours, minutes, seconds] = (tags?.DURATION ?? '').split(':').map(Number);
  const total = (hours ?? Number.NaN) * 3600 + (minutes ?? Number.NaN) * 60 + (seconds ?? Number.NaN);
  return Number.isFinite(total) ? total : null;
}

function ratio(text: string | undefined): number | null {
  const [top, bottom] = (text ?? '').split('/').map(Number);
  const value = (top ?? 0) / (bottom ?? 1);
  return Number.isFinite(value) && value > 0 ? value : null;
}

/** A larger difference between sound and picture is trimmed. */
const TOLERANCE_SECONDS = 0.3;

/** Returns the seconds to which a file is trimmed, so that sound and picture end together; null when they do already. */
export function trimTo({ video, audio }: Streams): number | null {
  if (!video?.duration || !audio?.duration) return null;
  if (Math.abs(video.duration - audio.duration) <= TOLERANCE_SECONDS) return null;
  return Math.min(video.duration, audio.duration);
}
