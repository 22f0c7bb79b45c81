/**
 * Aligns our people with those of the identity provider, by the internal route of a running house:
 *
 *     pnpm reconcile [--dry-run] [--url http://localhost:4000]
 *
 * Every human at the provider becomes an active member here, also who was disabled: look at --dry-run first.
 * The secret is INTERNAL_PSK, or else the one in DATA_DIR/secrets.json.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const TIMEOUT_MS = 600_000;

async function secret(): Promise<string> {
  const given = process.env['INTERNAL_PSK'];
  if (given) return given;
  const file = join(process.env['DATA_DIR'] ?? '.data', 'secrets.json');
  const kept = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, string>;
  if (!kept['INTERNAL_PSK']) throw new Error('no secret: set INTERNAL_PSK, or DATA_DIR');
  return kept['INTERNAL_PSK'];
}

try {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, url: { type: 'string' } } });
  const base = values.url ?? process.env['AUTH_BASE_URL'] ?? 'http://localhost:4000';
  const url = new URL(`/api/v1/internal/platform/reconcile?dry_run=${values['dry-run'] ?? false}`, base);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-internal-token': await secret() },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = (await response.json()) as { message?: string };
  if (!response.ok) throw new Error(`${response.status} ${answer.message ?? ''}`);
  console.log(JSON.stringify(answer, null, 2));
} catch (error) {
  console.error(`reconcile: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
