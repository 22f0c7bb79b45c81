import { z } from 'zod';

const number = z.string().transform((text) => (text === '-inf' ? -Infinity : Number(text)));

const Measured = z.object({
  input_i: number,
  input_tp: number,
  input_lra: number,
  input_thresh: number,
  target_offset: number,
});

/** What the first pass of loudnorm found: LUFS, dBTP, LU. */
export type Loudness = z.output<typeof Measured>;

/** Below this there is nothing to hear, and the second pass would fail. */
const SILENCE_LUFS = -70;

const TRUE_PEAK_DBTP = -1;
/** The oldest ffmpeg that we work with knows no more. */
const RANGE_LU = 20;

export const isSilent = ({ input_i: loudness }: Loudness) => !(loudness > SILENCE_LUFS);

/** Finds loudnorm's JSON in what ffmpeg said; null when there is none. */
export function readLoudness(said: string): Loudness | null {
  const json = said.slice(said.lastIndexOf('{'), said.lastIndexOf('}') + 1);
  try {
    return Measured.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

/** Whether the second pass could reach the target by one gain alone, from what it said. */
export const normalizationType = (said: string) => /"normalization_type"\s*:\s*"(\w+)"/.exec(said)?.[1] ?? 'dynamic';

/** A layout that the encoder knows; before loudnorm, in both passes, or surround sound comes out unreadable. */
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
