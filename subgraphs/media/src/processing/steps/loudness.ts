import { z } from 'zod';

const number = z.string().transform((text) => Number(text.replace('inf', 'Infinity')));

const within = (least: number, most: number) => number.refine((value) => value >= least && value <= most);

/** What loudnorm measures of silence, and besides what its second pass takes. Damaged sound may be louder than any other. */
const Measured = z.object({
  input_i: within(-Infinity, 0),
  input_tp: within(-Infinity, 99),
  input_lra: within(0, 99),
  input_thresh: within(-Infinity, 0),
  target_offset: within(-Infinity, Infinity),
});

/** The measurements of loudnorm's first pass, in LUFS, dBTP and LU. */
export type Loudness = z.output<typeof Measured>;

/** Quieter sound is inaudible, and the second pass would fail. */
const SILENCE_LUFS = -70;

const TRUE_PEAK_DBTP = -1;
/** The most that the oldest supported ffmpeg accepts. */
const RANGE_LU = 20;
const LEAST_RANGE_LU = 0.01;

export const isSilent = ({ input_i: loudness }: Loudness) => !(loudness > SILENCE_LUFS);

/** Reads loudnorm's JSON about a track from the output of ffmpeg; null when it says nothing that can be used. */
export function readLoudness(output: string, track: number): Loudness | null {
  const json = new RegExp(`^\\[loudnorm@${track} @ [^\\]]+\\]\\s*(\\{[^}]*\\})`, 'm').exec(output)?.[1];
  try {
    return Measured.parse(JSON.parse(json ?? ''));
  } catch {
    return null;
  }
}

/**
 * Returns how the tracks of a file reached the target: `linear`, each by one gain; `dynamic`, when at least one was
 * compressed; `silent`, when none is audible and all were copied; `none` when there was none to measure.
 *
 * @param output of the second pass
 */
export function normalizationType(output: string, tracks: readonly (Loudness | null)[]): string {
  const measured = tracks.filter((loudness) => loudness !== null);
  if (measured.length === 0) return 'none';
  if (measured.every(isSilent)) return 'silent';
  const types = [...output.matchAll(/"normalization_type"\s*:\s*"(\w+)"/g)].map(([, type]) => type);
  return types.length > 0 && types.every((type) => type === 'linear') ? 'linear' : 'dynamic';
}

/** The layouts that the encoders know, by the number of channels. */
const layouts = ['mono', 'stereo', '3.0', '4.0', '5.0', '5.1', '6.1', '7.1'];

/** Whether sound of so many channels can be encoded. */
export const hasLayout = (channels: number): boolean => layouts[channels - 1] !== undefined;

/**
 * Fills gaps with silence, which loudnorm would close, and converts to a layout that the encoder knows. It comes before
 * loudnorm in both passes, or surround sound becomes unreadable.
 */
const prepared = (channels: number) => `aresample=async=1,aformat=channel_layouts=${layouts[channels - 1] ?? 'stereo'}`;

const target = (lufs: number) => `I=${lufs}:TP=${TRUE_PEAK_DBTP}:LRA=${RANGE_LU}`;

/** @param track a number that tells it apart in the output of ffmpeg */
export const measuringFilter = (lufs: number, { track, channels }: { track: number; channels: number }) =>
  `${prepared(channels)},loudnorm@${track}=${target(lufs)}:print_format=json`;

export const normalizingFilter = (lufs: number, channels: number, measured: Loudness) =>
  [
    `${prepared(channels)},loudnorm=${target(lufs)}`,
    `measured_I=${measured.input_i}`,
    `measured_TP=${measured.input_tp}`,
    // loudnorm takes zero for a missing measurement, and would compress an even sound.
    `measured_LRA=${Math.max(measured.input_lra, LEAST_RANGE_LU)}`,
    `measured_thresh=${measured.input_thresh}`,
    `offset=${measured.target_offset}`,
    'linear=true',
    'print_format=json',
  ].join(':');

/** In kilobits per second. */
export const audioBitrate = (channels: number) => 96 * Math.min(Math.max(channels, 1), 8);
