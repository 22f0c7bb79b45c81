import { describe, expect, it } from 'vitest';

import { pictureOf } from './picture.ts';
import { readStreams } from './streams.ts';

const abilities = new Set(['bwdif', 'yadif', 'zscale', 'tonemap']);

function picture(fields: object, needs: { abilities?: Set<string>; isInterlaced?: boolean } = {}) {
  const plain = { codec_type: 'video', width: 1920, height: 1080, pix_fmt: 'yuv420p' };
  const rate = { r_frame_rate: '25/1', avg_frame_rate: '25/1' };
  const { video } = readStreams({ streams: [{ ...plain, ...rate, ...fields }] });
  if (!video) throw new Error('no video');
  return pictureOf(video, { abilities, isInterlaced: false, largest: { width: 1280, height: 720 }, ...needs });
}

describe('the filters of a picture', () => {
  it('are none for a plain one', () => {
    expect(picture({})).toMatchObject({ before: [], filters: '', framesPerSecond: 25, warnings: [] });
  });

  it('deinterlace before it is turned', () => {
    expect(picture({ side_data_list: [{ rotation: -90 }] }, { isInterlaced: true })).toMatchObject({
      before: ['-noautorotate'],
      filters: 'bwdif=mode=send_frame:deint=all,transpose=clock',
    });
  });

  it('deinterlace with what the program has, or warn', () => {
    const with_ = (...names: string[]) => picture({}, { isInterlaced: true, abilities: new Set(names) });

    expect(with_('yadif').filters).toBe('yadif=mode=send_frame:deint=all');
    expect(with_()).toMatchObject({ filters: '', warnings: [{ code: 'NOT_DEINTERLACED' }] });
  });

  it.each([
    ['h264', 1080],
    ['mpeg2video', 576],
    ['vc1', 1080],
    ['dvvideo', 576],
  ])('deinterlace the frames that are flagged where broadcasts may mix them: %s', (codec, height) => {
    expect(picture({ codec_name: codec, height, field_order: 'progressive' }).filters).toContain(
      'bwdif=mode=send_frame:deint=interlaced',
    );
    expect(picture({ codec_name: codec, height: 720 }).filters).toBe('');
  });

  it('make the rate constant', () => {
    expect(picture({ r_frame_rate: '90000/1', avg_frame_rate: '29970/1000' })).toMatchObject({
      filters: 'fps=30000/1001',
      framesPerSecond: 30000 / 1001,
    });
  });

  it.each(['smpte2084', 'arib-std-b67'])('map the tones of %s, and state the colors of SDR', (transfer) => {
    const { filters, colors } = picture({ color_transfer: transfer, pix_fmt: 'yuv420p10le' });

    expect(filters).toMatch(new RegExp(`^scale=1280:720,zscale=tin=${transfer}:.*tonemap=.*format=yuv420p$`));
    expect(colors.filter((word) => word === 'bt709')).toHaveLength(3);
  });

  it('warn of HDR that the program can not map, and state its colors', () => {
    const { filters, colors, warnings } = picture(
      { color_transfer: 'smpte2084', color_primaries: 'bt2020', color_space: 'bt2020nc', pix_fmt: 'yuv420p10le' },
      { abilities: new Set(['tonemap']) },
    );

    expect(filters).toBe('format=yuv420p');
    expect(colors).toContain('smpte2084');
    expect(warnings).toMatchObject([{ code: 'HDR_NOT_TONE_MAPPED' }]);
  });

  it('convert RGB and the full range', () => {
    expect(picture({ pix_fmt: 'gbrp', color_space: 'gbr' }).filters).toContain('out_color_matrix=bt709');
    expect(picture({ color_range: 'pc' }).filters).toBe('scale=out_range=tv');
  });

  it('state the colors that players would guess from the size of the source', () => {
    expect(picture({}).colors).toContain('bt709');
    expect(picture({ width: 720, height: 576 }).colors).toContain('bt470bg');
  });
});
