import { access, constants, readFile, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

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
 * Checks the programs that are named, where this process runs them: each upload would fail.
 *
 * @throws {ConfigError}
 */
export async function assertProgramsAreThere(env: NodeJS.ProcessEnv): Promise<void> {
  const set = setVariablesOf(env);
  for (const name of ['FFMPEG_PATH', 'FFPROBE_PATH'] as const) {
    const program = set[name];
    if (program === undefined) continue;
    const problems = await Promise.all(placesOf(program, set['PATH']).map(problemOfProgram));
    if (!problems.includes(undefined)) throw new ConfigError(`${name}: ${program} can not be run (${problems[0]})`);
  }
}

/** Returns where a program may be: without a path of its own, it is found by `PATH`. */
const placesOf = (program: string, folders = ''): string[] =>
  program.includes('/') ? [program] : folders.split(delimiter).map((folder) => join(folder || '.', program));

/** Returns the code of what keeps a program from running; undefined when nothing does. */
async function problemOfProgram(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK); // which folders pass
    return (await stat(path)).isDirectory() ? 'EISDIR' : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
