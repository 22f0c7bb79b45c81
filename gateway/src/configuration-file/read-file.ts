import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { ConfigError } from '@foyer/shared/config/config';
import { parseDocument } from 'yaml';
import type { z } from 'zod';

import { ConfigurationFile, VARIABLE } from './schema.ts';

const MAX_CHARACTERS = 1024 * 1024;
/** More than the schema has; an alias in YAML may lead back to where it stands. */
const MAX_LEVELS = 20;

/**
 * Reads a configuration file, YAML or JSON, with `${env.NAME}` in its texts replaced.
 *
 * @throws {ConfigError} with one line for each problem of the file; none holds a value, which may be a secret
 */
export async function readConfigurationFile(path: string, env: NodeJS.ProcessEnv): Promise<ConfigurationFile> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${path} can not be read: ${error.code ?? error.message}`);
  });
  if (text.length > MAX_CHARACTERS) throw new ConfigError(`${path} is too long`);
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0) {
    throw problemsOf(
      path,
      document.errors.map(({ message, pos }) => `line ${text.slice(0, pos[0]).split('\n').length}: ${message}`),
    );
  }
  const problems: string[] = [];
  const given = expanded(valueOf(document, path), [], { env, problems });
  const parsed = ConfigurationFile.safeParse(given);
  if (!parsed.success) problems.push(...parsed.error.issues.flatMap(linesOf));
  if (!parsed.success || problems.length > 0) throw problemsOf(path, problems);
  return parsed.data;
}

/** Aliases may make a small file huge: only so many are followed. */
function valueOf(document: ReturnType<typeof parseDocument>, path: string): unknown {
  try {
    return (document.toJS({ maxAliasCount: 100 }) as unknown) ?? {};
  } catch (error) {
    throw problemsOf(path, [error instanceof Error ? error.message : 'can not be read']);
  }
}

function problemsOf(path: string, problems: readonly string[]): ConfigError {
  const [one, ...more] = problems;
  if (more.length === 0) return new ConfigError(`${basename(path)}: ${one}`);
  return new ConfigError(
    `${basename(path)} has ${problems.length} problems\n${problems.map((line) => `  ${line}`).join('\n')}`,
  );
}

type Path = readonly PropertyKey[];

/** `headers.all.request[0].insert`; a key that holds a dot is quoted. */
const shown = (path: Path) =>
  path.reduce<string>((before, key) => {
    if (typeof key === 'number') return `${before}[${key}]`;
    const name = String(key);
    if (!/^[\w$-]+$/.test(name)) return `${before}[${JSON.stringify(name)}]`;
    return before === '' ? name : `${before}.${name}`;
  }, '');

const linesOf = (issue: z.core.$ZodIssue): string[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => `${shown([...issue.path, key])}: there is no such key`)
    : [`${shown(issue.path) || 'the file'}: ${issue.message}`];

/** Replaces `${env.NAME}` and `${env.NAME:-default}` in all texts but keys. */
function expanded(value: unknown, path: Path, at: { env: NodeJS.ProcessEnv; problems: string[] }): unknown {
  if (path.length > MAX_LEVELS) throw new ConfigError(`${shown(path.slice(0, 3))} is nested too deeply`);
  if (Array.isArray(value)) return value.map((item, index) => expanded(item, [...path, index], at));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expanded(inner, [...path, key], at)]));
  }
  if (typeof value !== 'string') return value;
  return value.replaceAll(new RegExp(VARIABLE, 'g'), (_all, name: string, otherwise?: string) => {
    const found = at.env[name] || otherwise; // an empty variable counts as unset
    if (found === undefined) at.problems.push(`${shown(path)}: the environment has no ${name}`);
    return found ?? '';
  });
}
