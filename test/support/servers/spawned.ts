import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Waits for a process to end, and returns its exit code. */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
