import { packagedTools } from '@foyer/media/tools';

const { ffmpeg, ffprobe } = await packagedTools();

/** Servers of tests process media with the programs from npm, which start with a thirtieth of the CPU time of others. */
export const programs = { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe };
