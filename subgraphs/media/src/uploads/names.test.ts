import { describe, expect, it } from 'vitest';

import { folderPath, segment, tenantName } from './names.ts';

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

  it('refuse the tenant under whose name unfinished uploads lie', () => {
    expect(() => tenantName('Uploads')).toThrow('tenant must not be Uploads');
  });
});
