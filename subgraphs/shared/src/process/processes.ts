import { readFile } from 'node:fs/promises';

/**
 * Returns the id and the start time of a process, which distinguish it from a later one with the same id; empty when there
 * is no such process, or only a zombie.
 */
export async function identityOf(pid: number): Promise<string> {
  try {
    process.kill(pid, 0);
  } catch {
    return '';
  }
  const { state, startedAt } = await statOf(pid);
  return state === 'Z' ? '' : `${pid} ${startedAt}`;
}

const POLL_MS = 500;

/**
 * Calls back when the `npx` that started this process has gone. A SIGTERM to npx ends npx and not
 * its children; stopping the documented command is meant to stop the server.
 */
export async function whenStarterGoes(gone: () => void): Promise<void> {
  const pid = await findStarter(process.ppid);
  if (!pid) return;
  const identity = await identityOf(pid);
  const poll = setInterval(() => void look(pid), POLL_MS).unref();
  async function look(starter: number) {
    if ((await identityOf(starter)) === identity) return;
    clearInterval(poll);
    gone();
  }
}

/** The nearest ancestor that is npx, which calls itself `npm exec`. */
async function findStarter(pid: number): Promise<number | undefined> {
  if (pid <= 1) return undefined;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (command.startsWith('npm exec')) return pid;
  return findStarter((await statOf(pid)).parent);
}

/** The fields after the name (proc(5)), which is in parentheses and may contain any character. */
async function statOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', parent: Number(fields[1] ?? 0), startedAt: fields[19] ?? '' };
}
