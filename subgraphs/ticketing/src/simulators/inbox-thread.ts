/** Runs in a thread of its own; started by inbox.ts. */
import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/** The part of maildev that is used here; it has no types. */
interface MailServer {
  port: number;
  create(port: string, host: string, folder: string): void;
  listen(): Promise<void>;
  loadMailsFromDirectory(): void;
  smtp: EventEmitter & {
    server: Server;
    onRcptTo: (address: { address: string }, session: unknown, done: (error?: Error) => void) => void;
  };
}
/** The options of the thread. */
interface Given {
  mails: string;
  basePath: string;
  /** The paths of the Unix sockets to listen on. */
  sockets: { smtp: string; web: string };
  /** The port that people see. */
  shownPort: number;
}
interface Web {
  server: Server;
  start(
    port: string,
    host: string,
    mails: MailServer,
    user: undefined,
    password: undefined,
    basePath: string,
    tls: object,
  ): void;
}

const require = createRequire(import.meta.url);

// Mails hold login links. Maildev sets no file modes, and a thread has no umask, so this patches `fs` of the thread.
const fs = require('node:fs') as typeof import('node:fs');
const { createWriteStream, mkdirSync, readdir } = fs;
fs.createWriteStream = (path, options) =>
  createWriteStream(path, { ...(typeof options === 'object' ? options : { encoding: options }), mode: 0o600 });
fs.mkdirSync = ((path: string) => mkdirSync(path, { mode: 0o700 })) as typeof mkdirSync;

const logger = require('maildev/lib/logger') as { setLevel(level: number): void };
const mails = require('maildev/lib/mailserver') as MailServer;
const web = require('maildev/lib/web') as Web;

const NO_HOST = 'none'; // a socket has no host, and maildev replaces an empty one by its default
const { mails: folder, basePath, sockets, shownPort } = workerData as Given;

const answers: Record<string, { responseCode: number; message: string }> = {
  'refused.test': { responseCode: 550, message: 'No such mailbox' },
  'later.test': { responseCode: 451, message: 'Try again later' },
};

logger.setLevel(0);
mails.create(sockets.smtp, NO_HOST, folder);
mails.smtp.onRcptTo = ({ address }, _session, done) => {
  const answer = answers[address.split('@').at(-1)?.toLowerCase() ?? ''];
  done(answer && Object.assign(new Error(answer.message), answer));
};
// Without this, a client that hangs up in the middle would crash it.
mails.smtp.removeAllListeners('error').on('error', () => undefined);
await loadMails();
await mails.listen();
web.start(sockets.web, NO_HOST, mails, undefined, undefined, basePath, {});
await once(web.server, 'listening');

mails.port = shownPort; // the web inbox reads it at each request
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread, not a window
parentPort?.postMessage('ready');

/** Waits until maildev has listed the folder: it then empties its list of mails, so none may come before. */
async function loadMails(): Promise<void> {
  const listings = new EventEmitter();
  fs.readdir = ((path: string, done: (error: Error | null, names: string[]) => void) =>
    readdir(path, (error, names) => {
      done(error, names);
      listings.emit('listed');
    })) as typeof readdir;
  const listed = once(listings, 'listed');
  mails.loadMailsFromDirectory();
  await listed;
  fs.readdir = readdir;
}
