import { describe, expect, it } from 'vitest';

import { classify, folderPath, segment, tenantName } from './names.ts';

describe('names of uploads', () => {
  it.each(['../x', '..', '.', '.hidden', 'a/b', 'a\\b', 'a\0b', 'a\nb', '\u202Efdp.exe', ' ', 'x'.repeat(201)])(
    'refuse %j',
    (name) => {
      expect(() => segment('fileName', name)).toThrow(/^fileName must [^.]+\.$/);
    },
  );

  it('keep every script, in its composed form', () => {
    for (const name of ['می\u200Cخواهم.mp4', '👨\u200D👩\u200D👧.png', 'क्\u200Dष.mp4'])
      expect(segment('fileName', name)).toBe(name);
    expect(segment('fileName', 'Cafe\u0301 音楽.mp4')).toBe('Café 音楽.mp4');
  });

  it.each(['a/../b', 'a//b', '/../a', 'a/.b'])('refuse the folder %j', (folder) => {
    expect(() => folderPath(folder)).toThrow(/folder must/);
  });

  it('take a folder with or without slashes around it', () => {
    expect([folderPath('/summer/teasers/'), folderPath(''), folderPath(null)]).toEqual(['summer/teasers', '', '']);
  });

  it('keep the tenant out of where unfinished uploads lie', () => {
    expect(() => tenantName('Uploads')).toThrow('tenant must not be Uploads');
  });
});

describe('the media type', () => {
  it('is what the client says, what its mime type says, or other', () => {
    expect(classify('Video', 'x/y')).toBe('video');
    expect(classify('clip', 'video/webm')).toBe('video');
    expect(classify('clip', 'model/gltf')).toBe('other');
    expect(classify('', '')).toBe('other');
  });

  it.each([
    ['PDF', '', 'document'],
    ['pptx', '', 'slides'],
    ['ODP', 'x/y', 'slides'],
    ['presentation', '', 'slides'],
    ['', 'application/pdf', 'document'],
    ['', 'application/vnd.ms-powerpoint', 'slides'],
    ['image/png', '', 'image'],
    ['text', 'text/plain', 'other'],
  ])('%j with the mime type %j counts as %s', (mediaType, mimeType, type) => {
    expect(classify(mediaType, mimeType)).toBe(type);
  });
});
