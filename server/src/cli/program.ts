import { ConfigError } from '@foyer/shared/config/config';
import { Refusal } from '@foyer/shared/errors';
import { Command, CommanderError, Option } from 'commander';

import { oneLineOf } from './operator/one-line.ts';
import { openTerminal, type ProcessIo, type Terminal } from './operator/terminal.ts';
import { UsageError } from './operator/usage-error.ts';

/** Runs a command and prints its result. Returns true when all of its work was done. */
type Action = (terminal: Terminal, args: string[], options: Record<string, unknown>) => Promise<boolean>;

const epilogue = `
Exit codes: 0 done, 1 failed, 2 wrong use. With --json the result is one JSON document (audit tail: one a line).
Commands work on the installation that DATABASE_URL and the other variables of docs/operations.md name, or else on the
one in DATA_DIR; if its server is stopped, the embedded services run for the length of the command.`;

/** Runs one command. Returns the exit code: 0 done, 1 failed, 2 wrong use. */
export async function runProgram(argv: readonly string[], io: ProcessIo): Promise<number> {
  let code = 0;
  const program = new Command('foyer')
    .description('What operators of Foyer do.')
    .addHelpText('after', epilogue)
    .showHelpAfterError('(see foyer --help)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.out.write(text),
      writeErr: (text) => void io.err.write(text),
    });

  const bind = (command: Command, action: Action) =>
    command.option('--json', 'print JSON, for scripts').action(async function run(this: Command) {
      const options = this.opts();
      const terminal = openTerminal(io, options['json'] === true);
      code = (await action(terminal, this.args, options)) ? 0 : 1;
    });
  addInstallationCommands(program, bind);
  addUserCommands(program, bind);
  addJobCommands(program, bind);

  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    io.err.write(`foyer: ${messageOf(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

type Bind = (command: Command, action: Action) => Command;

function addInstallationCommands(program: Command, bind: Bind): void {
  bind(program.command('migrate').description('bring the database to the newest migration'), async (terminal) =>
    (await import('./commands/migrate.ts')).migrate(terminal),
  );
  bind(program.command('seed').description('write the first data; run again, it changes nothing'), async (terminal) =>
    (await import('./commands/seed.ts')).seed(terminal),
  );
  bind(
    program
      .command('doctor')
      .description('check the configuration and every external service, and say how to repair what is wrong'),
    async (terminal) => (await import('./commands/doctor.ts')).doctor(terminal),
  );
  bind(
    program
      .command('secrets')
      .description('make a new set of all secrets, as the .env file of docker-compose.yml')
      .option('--file <file>', 'write it to this new file, which only its owner may read; else it is printed'),
    async (terminal, _args, options) => (await import('./commands/secrets.ts')).makeSecrets(terminal, options),
  );
  const license = program.command('license').description('license issue: issue a license');
  const issue = license
    .command('issue')
    .description('issue a license, and print it')
    .option('--company-code <code>', 'for whom')
    .option('--days <number>', 'for how long')
    .addOption(new Option('--hosting <where>', 'cloud or on_prem').default('on_prem'))
    .option('--key <file>', 'the signing key; else LICENSE_PRIVATE_KEY, or the one in DATA_DIR')
    .option('--new-key', 'make a pair of keys instead');
  bind(issue, async (terminal, _args, options) =>
    (await import('./commands/issue-license.ts')).issueLicense(terminal, options),
  );
}

function addUserCommands(program: Command, bind: Bind): void {
  const reconcile = program
    .command('reconcile')
    .description('align users with the identity provider; this also activates users who were disabled here')
    .option('--dry-run', 'print what would change, and change nothing');
  bind(reconcile, async (terminal, _args, options) =>
    (await import('./commands/reconcile.ts')).reconcileUsers(terminal, { dryRun: options['dryRun'] === true }),
  );

  const unlock = program
    .command('user')
    .description('user unlock: let a user sign in again at once')
    .command('unlock <name>')
    .description('let a user sign in again at once after too many failures; name: user name or e-mail address')
    .requiredOption('--company-code <code>', 'of which organization')
    .option('--address <ip>', 'also unlock this address for everybody');
  bind(unlock, async (terminal, [name = ''], options) =>
    (await import('./commands/unlock-user.ts')).unlock(terminal, name, options),
  );

  addOwnerCommands(program, bind);

  const tail = program
    .command('audit')
    .description('audit tail: show and follow the audit log')
    .command('tail')
    .description('show the newest entries of all organizations')
    .option('--follow', 'keep printing new entries until Ctrl-C')
    .option('--lines <number>', 'how many', '20')
    .option('--company-code <code>', 'only of this organization')
    .option('--action <action>', 'only this action, such as session.opened');
  bind(tail, async (terminal, _args, options) => (await import('./commands/tail-audit.ts')).tail(terminal, options));
}

function addOwnerCommands(program: Command, bind: Bind): void {
  const owner = program
    .command('platform')
    .description('platform owner add|remove|list: who owns the platform')
    .command('owner')
    .description('manage the owners of the platform, even when none is left');
  const commands = async () => import('./commands/platform-owner.ts');
  const forUser = (command: Command, description: string) =>
    command
      .description(`${description}; name: id, user name or e-mail address`)
      .requiredOption('--company-code <code>', 'of which organization');

  const add = 'make a user an owner of the platform, and enable a disabled account';
  bind(forUser(owner.command('add <name>'), add), async (terminal, [name = ''], options) =>
    (await commands()).addOwner(terminal, name, String(options['companyCode'])),
  );
  const remove = 'remove an owner of the platform; the last one who may sign in stays';
  bind(forUser(owner.command('remove <name>'), remove), async (terminal, [name = ''], options) =>
    (await commands()).removeOwner(terminal, name, String(options['companyCode'])),
  );
  bind(owner.command('list').description('list the owners of the platform'), async (terminal) =>
    (await commands()).listOwners(terminal),
  );
}

function addJobCommands(program: Command, bind: Bind): void {
  const retry = program
    .command('media')
    .description('media retry: process items once more')
    .command('retry [ids...]')
    .description('process media items once more')
    .option('--failed', 'all items whose processing has failed');
  bind(retry, async (terminal, ids, options) =>
    (await import('./commands/retry-media.ts')).retry(terminal, ids, { failed: options['failed'] === true }),
  );

  const requery = program
    .command('orders')
    .description('orders requery: query the state of payments')
    .command('requery [order-numbers...]')
    .description('query the payment gateway at once for the payments of orders')
    .option('--pending', 'all orders with an open payment');
  bind(requery, async (terminal, numbers, options) =>
    (await import('./commands/requery-orders.ts')).requery(terminal, numbers, { pending: options['pending'] === true }),
  );
}

/** Returns one line for people, or one for each variable that is wrong. */
function messageOf(error: unknown): string {
  if (error instanceof Refusal) return `${error.message} (${error.reason})`;
  if (error instanceof ConfigError) return error.message;
  return error instanceof Error ? oneLineOf(error.message) : String(error);
}
