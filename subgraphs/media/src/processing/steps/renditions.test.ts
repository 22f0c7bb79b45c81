import { describe, expect, it } from 'vitest';

import { describeRenditions, languageTag } from './renditions.ts';
import { readStreams } from './streams.ts';

const track = (language: string | null, title: string | null = null) => ({
  language,
  title,
  dispositions: [],
});

describe('a language', () => {
  it.each([
    ['eng', 'en'],
    ['ger', 'de'],
    ['deu', 'de'],
    ['msa', 'ms'],
    ['chi', 'zh'],
    ['yue', 'yue'],
    ['pt_br', 'pt-BR'],
    ['und', null],
    ['', null],
    ['"><script>', null],
    [`en-${'abcdefgh-'.repeat(9)}abcdefgh`, null],
    [null, null],
  ])('%j becomes %j', (stated, tag) => {
    expect(languageTag(stated)).toBe(tag);
  });
});

describe('tracks of sound', () => {
  it('are named by their title, else in their own language, and the first is the default', () => {
    const described = describeRenditions('audio', [track('eng'), track('deu', 'Kommentar'), track(null)]);

    expect(described.map(({ folder, name, isDefault }) => [folder, name, isDefault])).toEqual([
      ['audio-1-en', 'English', true],
      ['audio-2-de', 'Kommentar', false],
      ['audio-3-und', 'Audio 3', false],
    ]);
  });

  it('of one name and language are told apart, and only the first of them is chosen by itself', () => {
    const described = describeRenditions('audio', [track('eng'), track('eng'), track('en', 'English')]);

    expect(described.map(({ name, isAutomatic }) => [name, isAutomatic])).toEqual([
      ['English', true],
      ['English (2)', false],
      ['English (3)', false],
    ]);
  });

  it('never get a name that a playlist can not hold', () => {
    const [described] = describeRenditions('audio', [track('eng', 'a "b"\n#EXT-X-ENDLIST')]);

    expect(described?.name).toBe('a  b  #EXT-X-ENDLIST');
  });
});

describe('subtitles', () => {
  it('are shown on request only, and forced ones are told apart', () => {
    const described = describeRenditions('subtitles', [track('eng'), { ...track('eng'), dispositions: ['forced'] }]);

    expect(described).toMatchObject([
      { folder: 'subtitles-1-en', isDefault: false, isAutomatic: true, isForced: false },
      { folder: 'subtitles-2-en', isDefault: false, isAutomatic: true, isForced: true },
    ]);
  });
});

describe('tracks for people who can not hear or see', () => {
  it('are told to players as the file declares them', () => {
    const { audios, subtitles } = readStreams({
      streams: [
        { codec_type: 'audio' },
        { codec_type: 'audio', disposition: { visual_impaired: 1 } },
        { codec_type: 'subtitle', codec_name: 'subrip' },
        { codec_type: 'subtitle', codec_name: 'subrip', disposition: { hearing_impaired: 1 } },
      ],
    });
    const told = (described: readonly { characteristics: string[] }[]) =>
      described.map(({ characteristics }) => characteristics);

    expect(told(describeRenditions('audio', audios))).toEqual([[], ['public.accessibility.describes-video']]);
    expect(told(describeRenditions('subtitles', subtitles))).toEqual([
      [],
      ['public.accessibility.transcribes-spoken-dialog', 'public.accessibility.describes-music-and-sound'],
    ]);
  });
});
