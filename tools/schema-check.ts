/**
 * Compares the public schema of the working tree with the last committed one:
 *
 *     pnpm schema:check [--ref origin/main]
 *
 * The subgraphs are composed from their files, without `pnpm generate`. Exit code 1 when a change breaks clients or the
 * subgraphs don't compose, 2 when there is nothing to compare with.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { compose } from '../gateway/src/supergraph/compose.ts';
import { schemaChanges, type SchemaChanges } from './schema-changes.ts';
import { readServices } from './subgraphs.ts';

const SCHEMA = 'gateway/schema.graphql';
const root = process.cwd();
const { values } = parseArgs({ options: { ref: { type: 'string', default: 'HEAD' } } });

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 });

const says = (...args: string[]): string | undefined => {
  try {
    return git(...args).trim();
  } catch {
    return undefined;
  }
};

/** @throws with a readable message when there is nothing to compare with */
function committed(ref: string): string {
  if (says('--version') === undefined) throw new Error('git is not installed: nothing to compare with.');
  if (says('rev-parse', '--git-dir') === undefined) {
    throw new Error('This is no git repository (a download without its history?): nothing to compare with.');
  }
  if (says('rev-parse', '--verify', '--quiet', `${ref}^{commit}`) === undefined) {
    const shallow = says('rev-parse', '--is-shallow-repository') === 'true';
    const why = shallow ? ' This clone is shallow: `git fetch --unshallow` brings the rest of the history.' : '';
    throw new Error(`There is no commit ${ref} here.${why}`);
  }
  const sdl = says('show', `${ref}:./${SCHEMA}`);
  if (sdl === undefined) throw new Error(`The commit ${ref} has no ${SCHEMA}.`);
  return sdl;
}

function report({ breaking, dangerous, safe }: SchemaChanges): string {
  const list = (title: string, changes: string[]) =>
    changes.length === 0 ? [] : [`${title}:`, ...changes.map((change) => `  - ${change}`), ''];
  const counts = `${breaking.length} breaking, ${dangerous.length} dangerous, ${safe.length} safe`;
  return [
    ...list('Breaking: clients that work today stop working', breaking),
    ...list('Dangerous: clients may get what they have not seen before', dangerous),
    ...list('Safe', safe),
    `The public schema against ${values.ref}: ${counts}.`,
  ].join('\n');
}

function end(code: number, said: string): never {
  process.stdout.write(`${said}\n`);
  process.exit(code);
}

let before: string;
try {
  before = committed(values.ref);
} catch (error) {
  end(2, (error as Error).message);
}
let after: string;
try {
  after = compose(await readServices(root)).publicSdl;
} catch (error) {
  end(1, `The subgraphs do not compose:\n${(error as Error).message}`);
}
const changes = await schemaChanges(before, after);
end(changes.breaking.length > 0 ? 1 : 0, report(changes));
