import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Returns the command of a process with its arguments, separated by blanks: by /proc, or where there is none, as on macOS, by
 * `ps`. Empty when there is no such process; undefined when the system does not tell.
 *
 * @param proc the folder of processes
 */
export async function commandOf(pid: number, proc = '/proc'): Promise<string | undefined> {
  try {
    return (await readFile(`${proc}/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  } catch {
    return byPs(pid);
  }
}

async function byPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
    return `${stdout.trim()} `;
  } catch (error) {
    return (error as { code?: unknown }).code === 1 ? '' : undefined; // 1 of ps: no such process
  }
}
