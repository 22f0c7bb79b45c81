import { describe, expect, it } from 'vitest';

import { isSilent, normalizationType, readLoudness } from './loudness.ts';

const about = (track: number, values: object) =>
  `[loudnorm@${track} @ 0x55d0c8] \n${JSON.stringify(
    {
      input_i: '-30.12',
      input_tp: '-21.00',
      input_lra: '0.10',
      input_thresh: '-40.20',
      output_i: '-23.01',
      normalization_type: 'dynamic',
      target_offset: '0.01',
      ...values,
    },
    null,
    '\t',
  )}\n`;

describe('the loudness of a track', () => {
  it('is read from what ffmpeg says of this one, in any order', () => {
    const said = `Stream mapping:\n${about(2, { input_i: '-12.00' })}size=N/A\n${about(1, {})}`;
    expect([1, 2, 3].map((track) => readLoudness(said, track)?.input_i)).toEqual([-30.12, -12, undefined]);
  });

  it('may be silence', () => {
    const silence = {
      input_i: '-inf',
      input_tp: '-inf',
      input_lra: '0.00',
      input_thresh: '-70.00',
      target_offset: 'inf',
    };
    const loudness = readLoudness(about(1, silence), 1);
    expect(loudness && isSilent(loudness)).toBe(true);
  });

  // Damaged sound is decoded to anything, and the second pass refuses such measurements.
  it.each([{ input_i: '29.95', input_tp: '48.38', input_thresh: '10.80' }, { input_tp: '120.00' }, { input_i: 'nan' }])(
    'is unknown when it can not be: %o',
    (values) => {
      expect(readLoudness(about(1, values), 1)).toBeNull();
      expect(normalizationType('', [null])).toBe('none');
    },
  );
});
