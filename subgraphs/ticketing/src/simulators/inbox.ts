import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { lazy } from '@foyer/shared/lazy';

import { openForwarder } from './forwarder.ts';

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
}

export interface Inbox {
  /** The SMTP address. */
  smtpUrl: string;
  /** The address of the web inbox, with `basePath` and a slash at the end. */
  webUrl: string;
  stop(): Promise<void>;
}

/**
 * Simulates a mail server. It delivers nothing and shows all mail in its web inbox (maildev), with a JSON API under
 * `email`. Mails are files under `folder`, so they survive a restart. It listens at once; maildev is loaded when the first
 * client connects, which waits for a second.
 *
 * Addresses that fail: `…@refused.test` is refused permanently (550), `…@later.test` temporarily (451).
 *
 * Left out: TLS, logins, bounces, delivery, a limit to the number of mails.
 */
export async function startInbox(options: Options): Promise<Inbox> {
  const { folder, basePath = '/', host = '127.0.0.1', smtpPort = 0, webPort = 0 } = options;
  const mails = join(folder, 'mails');
  await mkdir(mails, { recursive: true, mode: 0o700 });
  await closeToOthers(mails);

  // A socket, not a port: only this user can open it. A path in a deep folder would be too long for a socket.
  const hidden = await mkdtemp(join(tmpdir(), 'foyer-inbox-'));
  const sockets = { smtp: join(hidden, 'smtp'), web: join(hidden, 'web') };
  let thread: Worker | undefined;
  const maildev = lazy(async () => {
    // Maildev keeps its state in its modules and exits on SIGTERM: a thread of its own contains both.
    thread = new Worker(new URL('inbox-thread.ts', import.meta.url), {
      workerData: { mails, basePath, sockets, shownPort: smtp.port },
    });
    await once(thread, 'message');
  });
  const smtp = await openForwarder(sockets.smtp, maildev, { host, port: smtpPort });
  const web = await openForwarder(sockets.web, maildev, { host, port: webPort });
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    webUrl: new URL(`${basePath.replace(/\/$/, '')}/`, `http://127.0.0.1:${web.port}`).href,
    async stop() {
      await Promise.all([smtp.stop(), web.stop(), thread?.terminate()]);
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
