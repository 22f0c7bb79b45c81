import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = join(import.meta.dirname, '../..');

/** The client of a Docker engine: of the one that `.ci/run containers` starts, or of this machine. */
const client = process.env['DOCKER'] ?? 'docker';

/** Runs a command of docker in the project's folder; returns what it prints. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await run(client, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

/** The same, for commands that fail: returns what they print anywhere. */
export async function dockerFailing(...args: string[]): Promise<string> {
  return docker(...args).then(
    () => {
      throw new Error(`docker ${args.join(' ')} did not fail`);
    },
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
}

/** Runs a command with bytes for its input; returns the bytes that it prints. */
export async function dockerPipe(input: Buffer | undefined, ...args: string[]): Promise<Buffer> {
  const child = spawn(client, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`docker ${args.join(' ')} ended with ${String(code)}`);
  return Buffer.concat(parts);
}

/** Whether an engine answers here. */
export const hasEngine: boolean = await docker('info').then(
  () => true,
  () => false,
);
