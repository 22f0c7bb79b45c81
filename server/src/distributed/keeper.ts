import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import type { Log } from '@foyer/shared/telemetry/log';
import { z } from 'zod';

const PAUSE_MS = 500;

/** What is run: a file, and what it is told. */
type Command = readonly [file: string, ...args: string[]];

/** Keeps processes of this house running. */
export interface Keeper {
  /**
   * Starts a process on a port of its own choice, and again on the same one whenever it ends by itself.
   *
   * @returns where it is, when it says that it is open
   * @throws when it ends before
   */
  start(command: Command, env: NodeJS.ProcessEnv): Promise<string>;
  /** Tells all of them to end, and waits until they have; none is started again. */
  stop(): Promise<void>;
}

const Said = z.object({ url: z.url() });

export function openKeeper({ log }: { log: Log }): Keeper {
  const running = new Set<ChildProcess>();
  let stopping = false;

  function begin(command: Command, env: NodeJS.ProcessEnv): ChildProcess {
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  }
  function keep(child: ChildProcess, command: Command, env: NodeJS.ProcessEnv): void {
    child.once('exit', (code, signal) => {
      if (stopping) return;
      log.warn({ process: command, code, signal }, 'a process has ended, and is started again');
      setTimeout(() => {
        if (!stopping) keep(begin(command, env), command, env);
      }, PAUSE_MS);
    });
  }

  return {
    async start(command, env) {
      const child = begin(command, { ...env, ...portIn('0') });
      const said = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => undefined)]);
      if (!said) throw new Error(`${command.join(' ')} could not be opened`);
      const { url } = Said.parse(said[0]);
      keep(child, command, { ...env, ...portIn(new URL(url).port) });
      return url;
    },
    async stop() {
      stopping = true;
      const ended = [...running].map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGTERM');
      await Promise.all(ended);
    },
  };
}

const portIn = (port: string) => ({ PORT: port, UPLOAD_SERVER_PORT: port, HOST: '127.0.0.1' });
