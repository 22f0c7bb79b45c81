import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';

import { ConfigError } from '@foyer/shared/config/config';
import type { Log } from '@foyer/shared/telemetry/log';
import { z } from 'zod';

const PAUSE_MS = 500;

/** The file that Node runs, and its arguments. */
type Command = readonly [file: string, ...args: string[]];

/** Keeps child processes running. */
export interface Supervisor {
  /**
   * Starts a process on a free port, and restarts it on the same port whenever it exits by itself.
   *
   * @returns the URL that the process reports once it is open
   * @throws {ConfigError} when it exits before that: it has printed why
   */
  start(command: Command, env: NodeJS.ProcessEnv): Promise<string>;
  /** Sends SIGTERM to all processes and waits until they have exited. None is restarted. */
  stop(): Promise<void>;
}

const Opened = z.object({ url: z.url() });

export function createSupervisor({ log }: { log: Log }): Supervisor {
  const running = new Set<ChildProcess>();
  let stopping = false;

  function spawnChild(command: Command, env: NodeJS.ProcessEnv): ChildProcess {
    // In a process group of its own: Ctrl-C in the terminal is meant for the parent, which stops its processes in order.
    // When the parent is killed they notice by their channel to it.
    const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc'];
    const child = spawn(process.execPath, command, { env, stdio, detached: true });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  }
  function restartOnExit(child: ChildProcess, command: Command, env: NodeJS.ProcessEnv): void {
    child.once('exit', (code, signal) => {
      if (stopping) return;
      log.warn({ process: command, code, signal }, 'a process has exited and is restarted');
      setTimeout(() => {
        if (!stopping) restartOnExit(spawnChild(command, env), command, env);
      }, PAUSE_MS);
    });
  }

  return {
    async start(command, env) {
      const child = spawnChild(command, { ...env, ...portIn('0') });
      const message = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => undefined)]);
      if (!message) throw new ConfigError(`the process ${command.at(-1)} did not start: its own line says why`);
      const { url } = Opened.parse(message[0]);
      restartOnExit(child, command, { ...env, ...portIn(new URL(url).port) });
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
