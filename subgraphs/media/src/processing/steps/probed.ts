import { z } from 'zod';

const Stream = z.object({
  index: z.number().optional(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  profile: z.coerce.string().optional(),
  pix_fmt: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  sample_aspect_ratio: z.string().optional(),
  field_order: z.string().optional(),
  color_range: z.string().optional(),
  color_space: z.string().optional(),
  color_transfer: z.string().optional(),
  color_primaries: z.string().optional(),
  channels: z.number().optional(),
  r_frame_rate: z.string().optional(),
  avg_frame_rate: z.string().optional(),
  start_time: z.coerce.number().optional(),
  duration: z.coerce.number().optional(),
  tags: z.record(z.string(), z.string()).optional(),
  disposition: z.record(z.string(), z.number()).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});

/** What ffprobe shows of a file. */
export const Probed = z.object({
  streams: z.array(Stream).default([]),
  format: z
    .object({
      start_time: z.coerce.number().optional(),
      duration: z.coerce.number().optional(),
      format_name: z.string().optional(),
    })
    .default({}),
});

export type ProbedFile = z.output<typeof Probed>;
export type ProbedStream = z.output<typeof Stream>;

/** The entries that ffprobe must show. */
export const streamEntries =
  'format=start_time,duration,format_name' +
  ':stream=index,codec_type,codec_name,profile,pix_fmt,width,height,sample_aspect_ratio,field_order,color_range,' +
  'color_space,color_transfer,color_primaries,channels,r_frame_rate,avg_frame_rate,start_time,duration' +
  ':stream_tags=DURATION,DURATION-eng,language,title,handler_name,rotate' +
  ':stream_disposition:stream_side_data=rotation';

const keptDispositions = 'default dub original comment lyrics karaoke forced hearing_impaired visual_impaired'.split(
  ' ',
);

/** Returns what a stream is for, by ffmpeg's names; those that every supported ffmpeg can write. */
export const dispositionsOf = ({ disposition = {} }: ProbedStream): string[] =>
  keptDispositions.filter((name) => disposition[name] === 1);

export function languageOf({ tags }: ProbedStream): string | null {
  const language = tags?.['language']?.trim();
  return !language || language === 'und' ? null : language;
}

/** What programs write where a person wrote nothing. */
const genericHandler = /handler|^(core media|mainconcept|apple|gpac|isomedia|bento4)|\.(264|aac|mp4)\b/i;
const LONGEST_TITLE = 200;

/** Returns the title of a stream; MP4 keeps it as the name of its handler. */
export function titleOf({ tags }: ProbedStream): string | null {
  const handler = tags?.['handler_name'] ?? '';
  const title = tags?.['title'] ?? (genericHandler.test(handler) ? '' : handler);
  return title.trim().slice(0, LONGEST_TITLE) || null;
}

/** Returns the seconds of the tag `DURATION`, such as 00:01:02.500000000. */
export function secondsOfTag({ tags }: ProbedStream): number | null {
  const [hours, minutes, seconds] = (tags?.['DURATION'] ?? tags?.['DURATION-eng'] ?? '').split(':').map(Number);
  const total = (hours ?? Number.NaN) * 3600 + (minutes ?? Number.NaN) * 60 + (seconds ?? Number.NaN);
  return Number.isFinite(total) ? total : null;
}

/** Reads a fraction, such as 30000/1001; null where it is none, or not above zero. */
export function ratio(text: string | undefined): number | null {
  const [top, bottom] = (text ?? '').split('/').map(Number);
  const value = (top ?? 0) / (bottom ?? 1);
  return Number.isFinite(value) && value > 0 ? value : null;
}

/** Turns the degrees of a display matrix, which count against the clock, into clockwise quarter turns: 0, 90, 180, 270. */
export const quarterTurns = (degrees: number): number => {
  const turns = Math.round(-degrees / 90) * 90;
  return ((turns % 360) + 360) % 360;
};
