/**
 * Set-up of the project `unit`, whose tests may not connect, listen or start a process. Integration tests may, and are
 * called `*.integration.test.ts`.
 */
import childProcess, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { Server, Socket } from 'node:net';

const refuse = (what: string) => (): never => {
  throw new Error(`A unit test ${what}: call the file *.integration.test.ts`);
};

Server.prototype.listen = refuse('listens on a port');
Socket.prototype.connect = refuse('opens a connection');
// `spawn`, `exec`, `execFile` and `fork` all end here.
Object.assign(ChildProcess.prototype, { spawn: refuse('starts a process') });
for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) childProcess[name] = refuse('starts a process');
syncBuiltinESMExports();
