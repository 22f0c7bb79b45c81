import { execFile, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = join(import.meta.dirname, '../..');

/** The path of the client of a Docker engine: of the one that `.ci/run containers` starts, or of this machine; empty if there is none. */
export const client =
  process.env['DOCKER'] ?? execFileSync('sh', ['-c', 'command -v docker || true'], { encoding: 'utf8' }).trim();

/** Runs a command of docker in the project's folder; returns what it prints. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await run(client, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

/** The same, for bytes. */
export async function dockerBytes(...args: string[]): Promise<Buffer> {
  const child = spawn(client, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`docker ${args.join(' ')} ended with ${String(code)}`);
  return Buffer.concat(parts);
}

/** Whether an engine answers here. */
export const hasEngine: boolean = await docker('info').then(
  () => true,
  () => false,
);
