import { z } from 'zod';

const number = z.string().transform((text) => (text === '-inf' ? -Infinity : Number(text)));

const Measured = z.object({
  input_i: number,
  input_tp: number,
  input_lra: number,
  input_thresh: number,
  target_offset: number,
});

/** The measurements of loudnorm's first pass, in LUFS, dBTP and LU. */
export type Loudness = z.output<typeof Measured>;

/** Quieter sound is inaudible, and the second pass would fail. */
const SILENCE_LUFS = -70;

const TRUE_PEAK_DBTP = -1;
/** The most that the oldest supported ffmpeg accepts. */
const RANGE_LU = 20;

export const isSilent = ({ input_i: loudness }: Loudness) => !(loudness > SILENCE_LUFS);

/** Reads loudnorm's JSON from the output of ffmpeg; null when there is none. */
export function readLoudness(output: string): Loudness | null {
  const json = output.slice(output.lastIndexOf('{'), output.lastIndexOf('}') + 1);
  try {
    return Measured.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

/** Reads from the output of the second pass how it reached the target: `linear`, by one gain, or `dynamic`. */
export const normalizationType = (output: string) =>
  /"normalization_type"\s*:\s*"(\w+)"/.exec(output)?.[1] ?? 'dynamic';

/** Converts to a layout that the encoder knows. It comes before loudnorm in both passes, or surround sound becomes unreadable. */
const layout = (channels: number) =>
  `aformat=channel_layouts=${{ 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' }[channels] ?? 'stereo'}`;

const target = (lufs: number) => `loudnorm=I=${lufs}:TP=${TRUE_PEAK_DBTP}:LRA=${RANGE_LU}`;

export const measuringFilter = (lufs: number, channels: number) =>
  `${layout(channels)},${target(lufs)}:print_format=json`;

export const normalizingFilter = (lufs: number, channels: number, measured: Loudness) =>
  [
    `${layout(channels)},${target(lufs)}`,
    `measured_I=${measured.input_i}`,
    `measured_TP=${measured.input_tp}`,
    `measured_LRA=${measured.input_lra}`,
    `measured_thresh=${measured.input_thresh}`,
    `offset=${measured.target_offset}`,
    'linear=true',
    'print_format=json',
  ].join(':');

/** In kilobits per second. */
export const audioBitrate = (channels: number) => 96 * Math.min(Math.max(channels, 1), 8);
