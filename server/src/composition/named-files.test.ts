import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';

import { ConfigError } from '@foyer/shared/config/config';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { assertProgramsAreThere, assertTokenReadable } from './named-files.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-files-'));
  file = join(folder, 'a file');
});
afterEach(() => rm(folder, { recursive: true }));

describe('the file with the token of the identity provider', () => {
  it('is named when it is not there, or empty', async () => {
    await expect(assertTokenReadable({ IDP_PAT_FILE: file })).rejects.toThrow(
      new ConfigError(`IDP_PAT_FILE: ${file} can not be read (ENOENT)`),
    );
    await writeFile(file, '\n');
    await expect(assertTokenReadable({ IDP_PAT_FILE: file })).rejects.toThrow(
      new ConfigError(`IDP_PAT_FILE: ${file} is empty`),
    );
    await writeFile(file, 'token');
    await assertTokenReadable({ IDP_PAT_FILE: file });
  });

  it('is not read where a variable is the token', async () => {
    await expect(assertTokenReadable({ IDP_PAT: 'token', IDP_PAT_FILE: file })).resolves.toBeUndefined();
  });
});

describe('the programs that process media', () => {
  it.each(['FFMPEG_PATH', 'FFPROBE_PATH'])('are named by %s, when there is none at its path', async (name) => {
    await expect(assertProgramsAreThere({ [name]: file })).rejects.toThrow(
      new ConfigError(`${name}: ${file} can not be run (ENOENT)`),
    );
    await writeFile(file, '', { mode: 0o600 });
    await expect(assertProgramsAreThere({ [name]: file })).rejects.toThrow(`${name}: ${file} can not be run`);
    await expect(assertProgramsAreThere({ [name]: folder })).rejects.toThrow(
      new ConfigError(`${name}: ${folder} can not be run (EISDIR)`),
    );
    await assertProgramsAreThere({ [name]: process.execPath });
  });

  it('may be named without a path, where the system finds them', async () => {
    const { dir, base } = parse(process.execPath);
    const PATH = `${folder}:${dir}`;
    await expect(assertProgramsAreThere({ PATH, FFMPEG_PATH: base })).resolves.toBeUndefined();
    await expect(assertProgramsAreThere({ PATH, FFMPEG_PATH: 'no-ffmpeg' })).rejects.toThrow(
      new ConfigError('FFMPEG_PATH: no-ffmpeg can not be run (ENOENT)'),
    );
  });
});
