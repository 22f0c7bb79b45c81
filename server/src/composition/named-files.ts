import { access, constants, readFile } from 'node:fs/promises';

import { ConfigError, setVariablesOf } from '@foyer/shared/config/config';

/**
 * Checks the file with the token of the identity provider: without it nobody could log in, and only the log would say why.
 *
 * @throws {ConfigError}
 */
export async function assertTokenReadable(env: NodeJS.ProcessEnv): Promise<void> {
  const { IDP_PAT: token, IDP_PAT_FILE: file } = setVariablesOf(env);
  if (token !== undefined || file === undefined) return;
  const content = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigError(`IDP_PAT_FILE: ${file} can not be read (${code})`);
  });
  if (content.trim() === '') throw new ConfigError(`IDP_PAT_FILE: ${file} is empty`);
}

/**
 * Checks the programs that are named by a path, where this process runs them: each upload would fail.
 *
 * @throws {ConfigError}
 */
export async function assertProgramsAreThere(env: NodeJS.ProcessEnv): Promise<void> {
  const set = setVariablesOf(env);
  for (const name of ['FFMPEG_PATH', 'FFPROBE_PATH'] as const) {
    const path = set[name];
    if (!path?.includes('/')) continue; // else found by PATH
    await access(path, constants.X_OK).catch(({ code }: NodeJS.ErrnoException) => {
      throw new ConfigError(`${name}: ${path} can not be run (${code})`);
    });
  }
}
