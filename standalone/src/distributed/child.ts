import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import type { Log } from '@foyer/shared/log';

const PAUSE_MS = 500;

interface Started {
  /** What is run: a file, and what it is told. */
  command: readonly [file: string, ...args: string[]];
  env: NodeJS.ProcessEnv;
  log: Log;
}

export interface Child {
  /** Tells it to end, and waits until it has. */
  stop(): Promise<void>;
}

/**
 * Starts a process of this house, and starts it again whenever it ends by itself.
 *
 * @returns when it says that it is open
 * @throws when it ends before
 */
export async function startChild({ command, env, log }: Started): Promise<Child> {
  let stopping = false;
  let child = begin();
  const opened = await Promise.race([once(child, 'message').then(() => true), once(child, 'exit').then(() => false)]);
  if (!opened) throw new Error(`${command.join(' ')} could not be opened`);
  child.once('exit', again);

  function begin(): ChildProcess {
    return spawn(process.execPath, command, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }
  function again(code: number | null, signal: string | null) {
    if (stopping) return;
    log.warn({ process: command, code, signal }, 'a process has ended, and is started again');
    setTimeout(() => {
      if (stopping) return;
      child = begin();
      child.once('exit', again);
    }, PAUSE_MS);
  }

  return {
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
