import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { combingOf } from '../testing/combing.ts';
import { openProcessedFiles, type ProcessedFile, type ProcessedFiles } from '../testing/processed-files.ts';

let files: ProcessedFiles;
let ladder: string;

beforeAll(async () => {
  files = await openProcessedFiles();
  // One small rung: the picture of all rungs is computed once.
  const { id } = await files.server.db.transcodingProfile.create({
    data: { name: 'Small', renditions: { create: { height: 90, videoBitrateKbps: 200, audioBitrateKbps: 64 } } },
  });
  ladder = String(id);
});
afterAll(() => files.stop());

const source = (text: string) => ['-f', 'lavfi', '-i', text];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

const frames =
  'stream=width,height,sample_aspect_ratio,pix_fmt,color_space,color_transfer,color_primaries,nb_read_frames';

/** The only rung of a ladder as one file, with its master playlist. */
async function rungOf({ media }: ProcessedFile): Promise<{ file: string; master: string }> {
  const folder = String(media.manifestKey).replace(/master\.m3u8$/, '');
  const response = await fetch(`${files.server.url}/assets/${media.manifestKey}`);
  const master = await response.text();
  const name = /^(\S+p)\/index\.m3u8$/m.exec(master)?.[1] ?? '';
  const index = await (await fetch(`${files.server.url}/assets/${folder}${name}/index.m3u8`)).text();
  const [, init = ''] = /^#EXT-X-MAP:URI="([^"]+)"/m.exec(index) ?? [];
  const parts = [init, ...[...index.matchAll(/^seg\S+$/gm)].map(([part]) => part)];
  return {
    file: await files.joined(
      parts.map((part) => `${folder}${name}/${part}`),
      `${media.id}.mp4`,
    ),
    master,
  };
}

interface Laddered extends ProcessedFile {
  rung: Record<string, unknown>;
  file: string;
  master: string;
}

async function laddered(file: string): Promise<Laddered> {
  const processed = await files.process(file, { transcodingProfileId: ladder });
  expect(processed.media.failureReason).toBeNull();
  const { file: rungFile, master } = await rungOf(processed);
  const [rung = {}] = await files.streamsOf(rungFile, frames);
  return { ...processed, rung, file: rungFile, master };
}

async function previewSize({ media }: ProcessedFile) {
  const preview = await files.fetchKey(String(media.thumbnailKey), `${media.id}.jpg`);
  const [{ width, height } = {}] = await files.streamsOf(preview, 'stream=width,height');
  return `${String(width)}x${String(height)}`;
}

const sizes = async (processed: Laddered) => ({
  shown: `${processed.media.width}x${processed.media.height}`,
  rung: `${String(processed.rung['width'])}x${String(processed.rung['height'])}`,
  pixels: processed.rung['sample_aspect_ratio'],
  preview: await previewSize(processed),
});

describe('the aspect ratio of a video', () => {
  const anamorphic = [...source('testsrc2=s=180x144:r=25:d=1'), '-vf', 'setsar=64/45', ...x264];

  it('is that of its display in every rung and preview', async () => {
    expect(await sizes(await laddered(await files.make(...anamorphic, 'anamorphic.mp4')))).toEqual({
      shown: '256x144',
      rung: '160x90',
      pixels: '1:1',
      preview: '256x144',
    });
  });

  it('is that of its display when it is turned as well', async () => {
    const flat = await files.make(...anamorphic, 'flat.mp4');
    const turned = await files.make('-i', flat, '-c', 'copy', '-metadata:s:v:0', 'rotate=90', 'turned.mp4');

    expect(await sizes(await laddered(turned))).toEqual({
      shown: '144x256',
      rung: '90x160',
      pixels: '1:1',
      preview: '144x256',
    });
  });
});

describe('an interlaced video', () => {
  /** A bar that moves fast. */
  const fields = source("color=black:s=320x360:r=50:d=2,geq=lum='if(lt(mod(X-8*N,160),40),235,16)':cb=128:cr=128");
  const woven = ['-vf', 'tinterlace=interleave_top,setfield=tff'];
  const flagged = ['-c:v', 'libx264', '-flags', '+ildct', '-x264opts', 'tff=1', '-pix_fmt', 'yuv420p'];
  /** As many lines as the source has: combs vanish where fewer are made of them. */
  const tall = { height: 576, videoBitrateKbps: 2_000, audioBitrateKbps: 64 };

  async function combing(make: readonly string[], { at = 1, width = 320 } = {}): Promise<number> {
    const { id } = await files.server.db.transcodingProfile.upsert({
      where: { name: 'Tall' },
      create: { name: 'Tall', renditions: { create: tall } },
      update: {},
    });
    const processed = await files.process(await files.make(...make), { transcodingProfileId: String(id) });
    return combingOf(await files.pixels((await rungOf(processed)).file, { at }), 3 * width);
  }

  it('is deinterlaced when it says so', async () => {
    expect(await combing([...fields, ...woven, ...flagged, 'flagged.mp4'])).toBeLessThan(1);
  });

  it('is deinterlaced when it says nothing and looks so', async () => {
    expect(await combing([...fields, ...woven, '-c:v', 'mjpeg', '-q:v', '2', 'silent.avi'])).toBeLessThan(1);
  });

  it('is deinterlaced when it claims to be progressive', async () => {
    expect(await combing([...fields, ...woven, ...x264, 'claims-progressive.mp4'])).toBeLessThan(1);
    const source = await files.pixels(files.named('claims-progressive.mp4'), { at: 1 });
    expect(combingOf(source, 3 * 320), 'the measure tells them apart').toBeGreaterThan(2);
  });

  it('is deinterlaced when only its frames say so, and it is too short to look so', async () => {
    const dv = ['-vf', 'scale=720:576,tinterlace=interleave_bottom,setsar=16/15', '-c:v', 'dvvideo', '-t', '0.24'];
    const film = [...fields, ...dv, '-pix_fmt', 'yuv420p', 'frames-say-so.avi'];
    expect(await combing(film, { at: 0.1, width: 768 })).toBeLessThan(1);
    const source = await files.pixels(files.named('frames-say-so.avi'), { at: 0.1 });
    expect(combingOf(source, 3 * 720), 'the measure tells them apart').toBeGreaterThan(2);
  });
});

describe('a video of high dynamic range', () => {
  /** Left gray, right white: the light of a screen, and of paper. */
  const halves = source('color=gray:s=160x90:r=25:d=1,drawbox=x=80:w=80:h=90:c=white:t=fill');
  const hdr = (transfer: string) => [
    '-vf',
    `zscale=tin=bt709:pin=bt709:min=bt709:t=${transfer}:p=bt2020:m=bt2020nc:npl=203,format=yuv420p10le`,
    '-c:v',
    'libx265',
    '-x265-params',
    `log-level=error:transfer=${transfer}:colorprim=bt2020:colormatrix=bt2020nc`,
    '-color_trc',
    transfer,
    '-color_primaries',
    'bt2020',
    '-colorspace',
    'bt2020nc',
  ];

  it.each(['smpte2084', 'arib-std-b67'])('of %s comes out in SDR, in rung and preview', async (transfer) => {
    const processed = await laddered(await files.make(...halves, ...hdr(transfer), `${transfer}.mp4`));

    expect(processed.rung).toMatchObject({
      pix_fmt: 'yuv420p',
      color_space: 'bt709',
      color_transfer: 'bt709',
      color_primaries: 'bt709',
    });
    expect(processed.shown.warnings).toEqual([]);
    const preview = await files.fetchKey(String(processed.media.thumbnailKey), `${transfer}.jpg`);
    for (const file of [processed.file, preview]) {
      const [gray = 0, , , white = 0] = await files.pixels(file, { filter: 'scale=2:1:flags=area' });
      expect(Math.abs(gray - 128)).toBeLessThan(30);
      expect(white).toBeGreaterThan(205);
    }
  });
});

describe('a video of high dynamic range that leaves its colors open', () => {
  it('comes out as well', async () => {
    const open = ['-c:v', 'ffv1', '-pix_fmt', 'yuv444p10le', '-color_trc', 'smpte2084'];
    const { rung } = await laddered(await files.make(...source('testsrc2=s=160x90:r=25:d=1'), ...open, 'open.mkv'));

    expect(rung).toMatchObject({ pix_fmt: 'yuv420p', color_space: 'bt709' });
  });
});

describe('the rate of a video', () => {
  it('is constant, and stated, when that of the source varies', async () => {
    const uneven = "select='if(lt(t,1),1,not(mod(n,3)))'";
    const made = [...source('testsrc2=s=160x90:r=30:d=3'), '-vf', uneven, '-vsync', 'vfr', ...x264];
    const { file, master } = await laddered(await files.make(...made, 'uneven.mp4'));

    const stated = Number(/FRAME-RATE=([\d.]+)/.exec(master)?.[1]);
    const [{ r_frame_rate: rate, avg_frame_rate: average } = {}] = await files.streamsOf(
      file,
      'stream=r_frame_rate,avg_frame_rate',
    );
    expect([stated, rate, average]).toEqual([23.976, '24000/1001', '24000/1001']);
  });

  it('of a clip of a few frames leaves frames in its ladder', async () => {
    for (const [name, seconds] of [
      ['short.mp4', 0.3],
      ['one-frame.mp4', 0.04],
    ] as const) {
      const clip = await files.make(...source(`testsrc2=s=160x90:r=25:d=${seconds}`), ...x264, name);
      const { file } = await laddered(clip);
      const [{ nb_read_packets: packets } = {}] = await files.streamsOf(file, 'stream=nb_read_packets');
      expect(Number(packets)).toBe(Math.round(seconds * 25));
    }
  });
});
