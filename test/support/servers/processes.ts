import { readdir, readFile } from 'node:fs/promises';

interface Running {
  pid: number;
  /** The command line: the file and its arguments, each ended by a zero byte. */
  command: string;
}

/** The children of a process. */
export async function childrenOf({ pid }: { pid: number }): Promise<Running[]> {
  // Each thread has its own.
  const threads = await readdir(`/proc/${pid}/task`);
  const children = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')), // it has ended
  );
  const pids = children.join(' ').split(' ').filter(Boolean).map(Number);
  return Promise.all(
    pids.map(async (child) => ({
      pid: child,
      command: await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => ''),
    })),
  );
}

/** The processes of a distributed server, by role: `gateway`, `ticketing`, … */
export async function processesByRole(server: { pid: number }): Promise<Map<string, number[]>> {
  const roles = new Map<string, number[]>();
  for (const { pid, command } of await childrenOf(server)) {
    const role = /distributed\/main\.ts\0(\w+)/.exec(command)?.[1];
    if (role) roles.set(role, [...(roles.get(role) ?? []), pid]);
  }
  return roles;
}

/** `kill -9` of one of them. */
export async function killRole(server: { pid: number }, role: string): Promise<void> {
  const pids = (await processesByRole(server)).get(role) ?? [];
  if (pids.length === 0) throw new Error(`the server has no process ${role}`);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

const LOOK_MS = 200;

/**
 * Kills one of them, and again whenever it is restarted.
 *
 * @returns a function that stops killing it
 */
export async function keepAway(server: { pid: number }, role: string): Promise<() => void> {
  await killRole(server, role);
  const looking = setInterval(() => {
    killRole(server, role).catch(() => undefined); // not restarted yet
  }, LOOK_MS);
  return () => clearInterval(looking);
}
