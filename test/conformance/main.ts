/**
 * Checks servers against the three documents, row by row (docs/conformance.md).
 *
 *     npx -y pnpm conformance                      two servers of its own, in both modes
 *     npx -y pnpm conformance --url http://…       any server
 *     npx -y pnpm conformance identity-login       the rows whose anchor has this in it
 *     npx -y pnpm conformance --write              writes docs/conformance.md, and calls no server
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { report } from './framework/report.ts';
import { allRows } from './rows.ts';

const root = join(import.meta.dirname, '../..');
const help = `pnpm conformance [options] [part of an anchor]

  --url URL               the server to check; without it, two servers are started
  --mode MODE             its REST_AUTH: documented (default) or strict
  --password TEXT         of the demo accounts; default Foyer-demo-1
  --internal-psk TEXT     its INTERNAL_PSK
  --hook-secret TEXT      its HOOK_SECRET
  --legacy-secret TEXT    its LEGACY_JWT_SECRET
  --write                 writes docs/conformance.md

Each option but --url and --write may be a variable instead: CONFORMANCE_MODE, CONFORMANCE_PASSWORD,
CONFORMANCE_INTERNAL_PSK, CONFORMANCE_HOOK_SECRET, CONFORMANCE_LEGACY_JWT_SECRET. Creates organizations, people, orders and media on that server.
`;

const bin = (name: string, args: string[], env: NodeJS.ProcessEnv = process.env) =>
  spawnSync(join(root, 'node_modules/.bin', name), args, { cwd: root, stdio: 'inherit', env }).status ?? 1;

/** Returns what keeps the rows from being checked. */
async function hindrance({ url, mode }: { url?: string; mode?: string }): Promise<string | undefined> {
  if (mode !== undefined && mode !== 'documented' && mode !== 'strict') return '--mode must be documented or strict';
  if (url === undefined) return undefined;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return '--url must be an address such as http://localhost:4000';
  const signal = AbortSignal.timeout(30_000);
  return fetch(url, { method: 'HEAD', redirect: 'manual', signal }).then(
    () => undefined,
    () => `${url} does not answer`,
  );
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    mode: { type: 'string' },
    password: { type: 'string' },
    'internal-psk': { type: 'string' },
    'hook-secret': { type: 'string' },
    'legacy-secret': { type: 'string' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (values.help) process.stdout.write(help);
else if (values.write) {
  writeFileSync(join(root, 'docs/conformance.md'), report(allRows));
  process.exitCode = bin('oxfmt', ['docs/conformance.md']);
} else {
  const { url, mode } = values;
  const hindered = await hindrance(values);
  if (hindered) {
    console.error(`conformance: ${hindered}`);
    process.exit(2);
  }
  const given = {
    CONFORMANCE_URL: url,
    CONFORMANCE_MODE: mode,
    CONFORMANCE_PASSWORD: values.password ?? process.env['CONFORMANCE_PASSWORD'] ?? 'Foyer-demo-1',
    CONFORMANCE_INTERNAL_PSK: values['internal-psk'],
    CONFORMANCE_HOOK_SECRET: values['hook-secret'],
    CONFORMANCE_LEGACY_JWT_SECRET: values['legacy-secret'],
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const filter = positionals.length > 0 ? ['-t', positionals.join('|')] : [];
  process.exitCode = bin('vitest', ['run', '--project', 'conformance', ...filter], { ...process.env, ...set });
}
