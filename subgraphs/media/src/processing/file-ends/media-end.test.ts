import { describe, expect, it } from 'vitest';

import { adtsOf, boxOf, endingOf, flvOf, liveWebm, mp3Of, noise } from '../../testing/endings.ts';
import type { Ending, EndReader } from './ending.ts';
import { endOfFlv } from './flv.ts';
import { endOfAdts, endOfMpegAudio } from './frames.ts';
import { endOfMatroska } from './matroska.ts';
import { endOfMp4 } from './mp4.ts';
import { endOfMxf } from './mxf.ts';
import { endOfRiff } from './riff.ts';

const le = (value: number) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24]);
const chunk = (name: string, content: Buffer, stated = content.length) =>
  Buffer.concat([Buffer.from(name), le(stated), content]);

/** A WAV. @param stated the size that it says its samples have */
const wavOf = (stated?: number) => {
  const content = Buffer.concat([
    Buffer.from('WAVE'),
    chunk('fmt ', Buffer.alloc(16)),
    chunk('data', noise(4_000), stated),
  ]);
  return chunk('RIFF', content, stated);
};
const avi = () =>
  chunk(
    'RIFF',
    Buffer.concat([
      Buffer.from('AVI '),
      chunk('LIST', Buffer.concat([Buffer.from('movi'), noise(3_000)])),
      chunk('idx1', noise(160)),
    ]),
  );

/** With the tag of LAME, which says how many bytes the sound has. */
function mp3WithHeader(frames: number): Buffer {
  const bytes = mp3Of(frames);
  bytes.write('Info', 36, 'latin1');
  bytes.writeUInt32BE(3, 40);
  bytes.writeUInt32BE(frames - 1, 44);
  bytes.writeUInt32BE(bytes.length, 48);
  return bytes;
}
const id3v2 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x02\x10', 'latin1'), Buffer.alloc(272, 0xff)]);
const tags = Buffer.concat([
  Buffer.from('LYRICSBEGININD0000300000021LYRICS200'),
  Buffer.from('APETAGEX\xd0\x07\0\0\x20\0\0\0\0\0\0\0\0\0\0\x80\0\0\0\0\0\0\0\0', 'latin1'),
  Buffer.from('APETAGEX\xd0\x07\0\0\x20\0\0\0\0\0\0\0\0\0\0\x80\0\0\0\0\0\0\0\0', 'latin1'),
  Buffer.alloc(128, 'TAG'),
]);

/** Its header says where the footer is. */
function mxf(): Buffer {
  const partition = (kind: number, footerAt: number) => {
    const bytes = Buffer.concat([
      Buffer.from('060e2b34020501010d010201010000000058', 'hex').subarray(0, 16),
      Buffer.from([88]),
      Buffer.alloc(88),
    ]);
    bytes[13] = kind;
    bytes.writeBigUInt64BE(BigInt(footerAt), 17 + 24);
    return bytes;
  };
  const essence = Buffer.concat([
    Buffer.from('060e2b34010201010d01030115010500', 'hex'),
    Buffer.from([0x82, 8, 0]),
    noise(2_048),
  ]);
  const footerAt = 105 + essence.length;
  return Buffer.concat([partition(2, footerAt), essence, partition(4, footerAt)]);
}

const kinds: [string, () => Buffer, EndReader][] = [
  ['AAC', () => adtsOf(30), endOfAdts],
  ['MP3', () => mp3Of(30), endOfMpegAudio],
  ['MP3 with tags in front', () => Buffer.concat([id3v2, mp3Of(30)]), endOfMpegAudio],
  ['WAV', () => wavOf(), endOfRiff],
  ['AVI', avi, endOfRiff],
  ['FLV', () => flvOf(20), ({ tail }) => endOfFlv(tail)],
  ['a live recording in WebM', () => liveWebm(20), endOfMatroska],
  ['MXF', mxf, endOfMxf],
];
const endOf = async (reader: (ending: Ending) => ReturnType<EndReader>, bytes: Buffer) => reader(await endingOf(bytes));

describe('a video or sound that breaks off within one of its units', () => {
  it.each(kinds)('is cut, and whole otherwise: %s', async (_, make, reader) => {
    const whole = make();
    expect(await endOf(reader, whole)).toBe('whole');
    for (const left of [0.47, 0.63, 0.88].map((share) => Math.floor(whole.length * share)).concat(whole.length - 1))
      expect(await endOf(reader, whole.subarray(0, left)), `at ${left} of ${whole.length}`).toBe('cut');
  });
});

describe('an MP3', () => {
  it('is whole with tags behind its last frame, and cut with them behind a part of one', async () => {
    const sound = mp3Of(30);
    expect(await endOf(endOfMpegAudio, Buffer.concat([sound, tags]))).toBe('whole');
    expect(await endOf(endOfMpegAudio, Buffer.concat([sound.subarray(0, -50), tags]))).toBe('cut');
  });

  it('is cut between two frames when its first one states more', async () => {
    const whole = mp3WithHeader(30);
    expect(await endOf(endOfMpegAudio, whole)).toBe('whole');
    expect(await endOf(endOfMpegAudio, whole.subarray(0, 28 * 192))).toBe('cut');
  });

  it('is whole with padding behind it', async () => {
    expect(await endOf(endOfMpegAudio, Buffer.concat([mp3Of(30), Buffer.alloc(700)]))).toBe('whole');
  });
});

describe('a WAV', () => {
  it.each([0xffff_ffff, 0x7fff_f000, 0x8000_0000])(
    'that was written to a pipe states no length: %i',
    async (stated) => {
      expect(await endOf(endOfRiff, wavOf(stated))).toBe('unstated');
    },
  );
});

describe('a fragmented MP4 that breaks off between two fragments', () => {
  const film = (seconds: number, ...extend: Buffer[]) =>
    boxOf('moov', boxOf('mvhd', 0, 0, 0, 1_000, seconds * 1_000, Buffer.alloc(80)), boxOf('mvex', ...extend));
  const fragment = Buffer.concat([boxOf('moof', noise(80)), boxOf('mdat', noise(500))]);
  const index = (...sizes: number[]) =>
    boxOf('sidx', 0, 1, 1_000, 0, 0, sizes.length, ...sizes.flatMap((size) => [size, 1_000, 0x9000_0000]));
  const endOfFilm = async (lasts: number, ...parts: Buffer[]) => {
    const bytes = Buffer.concat([boxOf('ftyp', Buffer.from('iso6')), ...parts]);
    return endOfMp4(await endingOf(bytes), lasts);
  };

  it.each<[string, Buffer]>([
    ['mehd', film(0, boxOf('mehd', 0, 3_000))],
    ['mehd with 64 bits', film(0, boxOf('mehd', 0x0100_0000, 0, 3_000))],
    ['mvhd', film(3)],
  ])('is cut when the duration of all of them is stated: %s', async (_, moov) => {
    expect(await endOfFilm(3, moov, fragment, fragment, fragment)).toBe('whole');
    expect(await endOfFilm(2, moov, fragment, fragment)).toBe('cut');
  });

  it('is cut when an index lists more of them, at the start or in front of later ones', async () => {
    const { length } = fragment;
    expect(await endOfFilm(2, film(0), index(length, length), fragment, fragment)).toBe('whole');
    expect(await endOfFilm(1, film(0), index(length, length), fragment)).toBe('cut');
    expect(await endOfFilm(1, film(0), index(length), fragment, index(length))).toBe('cut');
  });

  it('is whole when nothing is stated', async () => {
    expect(await endOfFilm(2, film(0), fragment, fragment)).toBe('whole');
    expect(await endOfFilm(2, film(0, boxOf('mehd', 0, 0xffff_ffff)), fragment, fragment)).toBe('whole');
  });
});

it('of a file of chunks within chunks that have nothing in them, few are read', async () => {
  const list = chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), Buffer.alloc(7_992, 'LIST\x04\0\0\0WAVE', 'latin1')]));
  const bytes = Buffer.alloc(50 * list.length, list);
  let reads = 0;
  const read = async (at: number, count: number) => {
    reads += 1;
    return bytes.subarray(at, at + count);
  };
  expect(await endOfRiff({ read, size: bytes.length })).toBe('whole');
  expect(reads).toBeLessThan(15_000);
});
