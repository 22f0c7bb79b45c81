import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { openForwarder } from './forwarder.ts';
import { whileUsed } from './while-used.ts';

interface Options {
  /** The folder of the mails. */
  folder: string;
  /** Where the web inbox is shown behind a proxy that passes paths on as they are. */
  basePath?: string;
  /** Where it listens; by default for this machine only. */
  host?: string;
  /** Free ports by default. */
  smtpPort?: number;
  webPort?: number;
  /** How long maildev is kept after the last connection. */
  idleMs?: number;
}

const IDLE_MS = 120_000;

export interface Inbox {
  /** The SMTP address. */
  smtpUrl: string;
  /** The address of the web inbox, with `basePath` and a slash at the end. */
  webUrl: string;
  stop(): Promise<void>;
}

/**
 * Simulates a mail server. It delivers nothing and shows all mail in its web inbox (maildev), with a JSON API under
 * `email`. Mails are files under `folder`, so they survive a restart. It listens at once; maildev, which takes
 * 100 MB, is loaded when a client connects, which waits for a second, and ended when none has been connected for a while.
 *
 * Addresses that fail: `…@refused.test` is refused permanently (550), `…@later.test` temporarily (451).
 *
 * Left out: TLS, logins, bounces, delivery, a limit to the number of mails.
 */
export async function startInbox(options: Options): Promise<Inbox> {
  const { folder, basePath = '/', host = '127.0.0.1', smtpPort = 0, webPort = 0, idleMs = IDLE_MS } = options;
  const mails = join(folder, 'mails');
  await mkdir(mails, { recursive: true, mode: 0o700 });
  await closeToOthers(mails);

  // Sockets, not ports: only this user can open them. A path in a deep folder would be too long for a socket.
  const hidden = await mkdtemp(join(tmpdir(), 'foyer-inbox-'));
  let starts = 0;
  const maildev = whileUsed({
    idleMs,
    async make() {
      starts += 1;
      const sockets = { smtp: join(hidden, `smtp-${starts}`), web: join(hidden, `web-${starts}`) };
      // Maildev keeps its state in its modules and exits on SIGTERM: a thread of its own contains both.
      const thread = new Worker(new URL('inbox-thread.ts', import.meta.url), {
        workerData: { mails, basePath, sockets, shownPort: smtp.port },
      });
      await once(thread, 'message');
      return { thread, sockets };
    },
    end: async ({ thread }) => void (await thread.terminate()),
  });
  const socketOf = (service: 'smtp' | 'web') => async () => {
    const { thing, release } = await maildev.take();
    return { path: thing.sockets[service], release };
  };
  const smtp = await openForwarder(socketOf('smtp'), { host, port: smtpPort });
  const web = await openForwarder(socketOf('web'), { host, port: webPort });
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    webUrl: new URL(`${basePath.replace(/\/$/, '')}/`, `http://127.0.0.1:${web.port}`).href,
    async stop() {
      await Promise.all([smtp.stop(), web.stop(), maildev.stop()]);
      await rm(hidden, { recursive: true, force: true });
    },
  };
}

/** Also for files that an older version has left readable. */
async function closeToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}
