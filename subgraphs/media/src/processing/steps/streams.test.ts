import { describe, expect, it } from 'vitest';

import { readStreams, trimTo } from './streams.ts';

const video = (fields: object) => readStreams({ streams: [{ codec_type: 'video', ...fields }] }).video;

describe('trimming', () => {
  const streams = (picture: object, ...sounds: object[]) =>
    readStreams({
      streams: [{ codec_type: 'video', ...picture }, ...sounds.map((sound) => ({ codec_type: 'audio', ...sound }))],
    });
  const trimmed = (picture: number, sound: number) => trimTo(streams({ duration: picture }, { duration: sound }));

  it('cuts to the shorter when they differ by more than 0.3 seconds', () => {
    expect([trimmed(60, 59), trimmed(58, 60), trimmed(60, 59.8)]).toEqual([59, 58, null]);
  });

  it('does not cut the picture when the sound starts late and ends with it', () => {
    expect(trimTo(streams({ duration: 60 }, { start_time: 5, duration: 55 }))).toBeNull();
  });

  it('cuts to the sound that ends last', () => {
    expect(trimTo(streams({ duration: 60 }, { duration: 20 }, { duration: 50 }))).toBe(50);
  });

  it('reads from the tags of Matroska when a stream ends, and ignores cover pictures', () => {
    const read = readStreams({
      streams: [
        { codec_type: 'video', codec_name: 'mjpeg', disposition: { attached_pic: 1 } },
        { codec_type: 'video', codec_name: 'vp9', start_time: '2.5', tags: { DURATION: '00:01:02.500000000' } },
      ],
    });

    expect(read.video).toMatchObject({ index: 1, codec: 'vp9', startTime: 2.5, duration: 60, end: 62.5 });
  });

  it('counts from the start of a file whose clock does not begin at zero', () => {
    const { audio } = readStreams({
      streams: [{ codec_type: 'audio', start_time: 2.5, duration: 2 }],
      format: { start_time: 1.5 },
    });

    expect(audio).toMatchObject({ startTime: 1, end: 3 });
  });
});

describe('the size of a picture', () => {
  it.each([
    ['that is anamorphic', { width: 720, height: 576, sample_aspect_ratio: '64:45' }, [1024, 576]],
    ['with narrow pixels', { width: 720, height: 480, sample_aspect_ratio: '8:9' }, [640, 480]],
    ['turned', { width: 640, height: 360, side_data_list: [{ rotation: -90 }] }, [360, 640]],
    [
      'anamorphic and turned',
      { width: 720, height: 576, sample_aspect_ratio: '64:45', side_data_list: [{ rotation: 90 }] },
      [576, 1024],
    ],
    ['of an unknown ratio', { width: 640, height: 360, sample_aspect_ratio: '0:1' }, [640, 360]],
    ['of an absurd ratio', { width: 640, height: 360, sample_aspect_ratio: '1:100' }, [640, 360]],
  ])('%s is that of its square pixels', (_, fields, size) => {
    const { width, height } = video(fields) ?? {};

    expect([width, height]).toEqual(size);
  });
});

describe('the rate of the output', () => {
  it.each([
    ['25/1', '25/1', 25, false],
    ['30000/1001', '30000/1001', 30000 / 1001, false],
    ['120/1', '120/1', 60, true],
    ['100/1', '100/1', 50, true],
    ['1000/1', '29820/1000', 30000 / 1001, true],
    ['1000/1', '0/0', 30, true],
    ['240/1', '240/1', 60, true],
    ['50/1', '25/1', 25, true],
    ['60/1', '22/1', 24000 / 1001, true],
    ['1/5', '1/5', 5, true],
    ['0/0', '0/0', null, false],
  ])('of %s, on average %s, is %d', (base, average, framesPerSecond, isVariableRate) => {
    expect(video({ r_frame_rate: base, avg_frame_rate: average })).toMatchObject({ framesPerSecond, isVariableRate });
  });
});

describe('the tracks of a file', () => {
  it('have languages and titles', () => {
    const { audios, subtitles } = readStreams({
      streams: [
        { codec_type: 'audio', tags: { language: 'eng', handler_name: 'SoundHandler' }, disposition: { default: 1 } },
        { codec_type: 'audio', tags: { language: 'und', handler_name: 'Commentary' } },
        { codec_type: 'subtitle', codec_name: 'mov_text', tags: { language: 'msa', title: ' Melayu ' } },
        { codec_type: 'subtitle', codec_name: 'dvd_subtitle', disposition: { forced: 1 } },
      ],
    });

    expect(audios.map(({ index, language, title, isDefault }) => [index, language, title, isDefault])).toEqual([
      [0, 'eng', null, true],
      [1, null, 'Commentary', false],
    ]);
    expect(
      subtitles.map(({ language, title, isText, dispositions }) => [language, title, isText, dispositions]),
    ).toEqual([
      ['msa', 'Melayu', true, []],
      [null, null, false, ['forced']],
    ]);
  });
});
