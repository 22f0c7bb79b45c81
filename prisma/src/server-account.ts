import { execFileSync, spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { userInfo } from 'node:os';

/** The account that runs PostgreSQL, which refuses to run as root. */
export interface ServerAccount {
  /** Makes the account the owner of these files and folders. */
  own(...paths: string[]): Promise<void>;
  spawn(command: string, args: readonly string[], stdio: StdioOptions): ChildProcess;
}

interface Ids {
  uid: number;
  gid: number;
}

/**
 * Starts a program in a session of its own: Ctrl-C in the terminal is meant for our process, which stops PostgreSQL last.
 * Where util-linux is there, the program also ends with a killed process of ours.
 */
function spawnApart(command: string, args: readonly string[], stdio: StdioOptions, ids?: Ids): ChildProcess {
  const [first = command, ...rest] = [...endingWithUs(), command, ...args];
  return spawn(first, rest, { ...ids, stdio, detached: true });
}

/** SIGINT is PostgreSQL's fast shutdown. */
const withUs = ['setpriv', '--pdeathsig', 'INT', '--'];

const endingWithUs = () => (passes('setpriv', [...withUs.slice(1), 'true']) ? withUs : []);

const myself: ServerAccount = { own: async () => {}, spawn: spawnApart };

/**
 * Returns the account that runs the server: the current user or, for root, the system user `postgres`, which is created if
 * missing. Where that user can't enter a parent folder (a clone under /root), it gets the one capability for it, by
 * setpriv of util-linux.
 *
 * @param paths the paths that the account must be able to read
 * @throws when it can't
 */
export function serverAccount(paths: readonly string[]): ServerAccount {
  if (userInfo().uid !== 0) return myself;
  const ids = postgresUser();
  const own = async (...mine: string[]) => {
    for (const path of mine) await chown(path, ids.uid, ids.gid);
  };
  const asUser: ServerAccount = { own, spawn: (command, args, stdio) => spawnApart(command, args, stdio, ids) };
  if (passes('stat', paths, ids)) return asUser;

  const through = ['--reuid', String(ids.uid), '--regid', String(ids.gid), '--clear-groups'];
  through.push('--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search', '--');
  if (passes('setpriv', [...through, 'stat', ...paths])) {
    const spawnThrough: ServerAccount['spawn'] = (command, args, stdio) =>
      spawn('setpriv', ['--pdeathsig', 'INT', ...through, command, ...args], { stdio, detached: true });
    return { own, spawn: spawnThrough };
  }
  throw new Error(`the system user postgres can not reach ${paths.join(' and ')}: run as another user than root`);
}

function postgresUser() {
  const found = idsOf('postgres');
  if (found) return found;
  const shell = ['--no-create-home', '--shell', '/usr/sbin/nologin'];
  execFileSync('useradd', ['--system', '--user-group', ...shell, 'postgres'], { stdio: 'ignore' });
  const made = idsOf('postgres');
  if (!made) throw new Error('the system user postgres was created, but can not be found');
  return made;
}

/** Returns the ids of a user and of its group; null when there is no such user. */
function idsOf(user: string): Ids | null {
  const { stdout } = spawnSync('id', [user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [, uid, gid] = /^uid=(\d+)\S* gid=(\d+)/.exec(stdout) ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

const passes = (command: string, args: readonly string[], ids?: Ids): boolean =>
  spawnSync(command, args, { ...ids, stdio: 'ignore' }).status === 0;
