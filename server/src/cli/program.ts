import { Refusal } from '@foyer/shared/errors';
import { Command, CommanderError, Option } from 'commander';

import { openTerminal, type Surroundings, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Does its work and says how it went; true when all of it was done. */
type Action = (terminal: Terminal, args: string[], options: Record<string, unknown>) => Promise<boolean>;

const epilogue = `
Exit codes: 0 done, 1 failed, 2 wrong use. With --json the result is one JSON document (audit tail: one a line).
The house is found as it is configured: by DATABASE_URL and the other variables of docs/operations.md, or else in
DATA_DIR, where it runs or is opened for the length of the command.`;

/** Runs one command. Returns the exit code: 0 done, 1 failed, 2 wrong use. */
export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  let code = 0;
  const program = new Command('foyer')
    .description('What operators of Foyer do.')
    .addHelpText('after', epilogue)
    .showHelpAfterError('(foyer --help says how)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void surroundings.out.write(text),
      writeErr: (text) => void surroundings.err.write(text),
    });

  const bind = (command: Command, action: Action) =>
    command.option('--json', 'say it in JSON, for scripts').action(async function run(this: Command) {
      const options = this.opts();
      const terminal = openTerminal(surroundings, options['json'] === true);
      code = (await action(terminal, this.args, options)) ? 0 : 1;
    });
  addHouseCommands(program, bind);
  addPeopleCommands(program, bind);
  addWorkCommands(program, bind);

  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    surroundings.err.write(`foyer: ${words(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

type Bind = (command: Command, action: Action) => Command;

function addHouseCommands(program: Command, bind: Bind): void {
  bind(program.command('migrate').description('bring the database to the newest migration'), async (terminal) =>
    (await import('./commands/migrate.ts')).migrate(terminal),
  );
  bind(
    program.command('seed').description('write what a house starts with; run again, it changes nothing'),
    async (terminal) => (await import('./commands/seed.ts')).seed(terminal),
  );
  bind(
    program
      .command('doctor')
      .description('check the configuration and every outside part, and say what to do about what is wrong'),
    async (terminal) => (await import('./commands/doctor.ts')).doctor(terminal),
  );
  bind(
    program.command('secrets').description('print a fresh set of everything that must be secret, as an .env file'),
    async (terminal) => (await import('./commands/secrets.ts')).printSecrets(terminal),
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

function addPeopleCommands(program: Command, bind: Bind): void {
  const reconcile = program
    .command('reconcile')
    .description('align people here with those of the identity provider; also who was disabled becomes active')
    .option('--dry-run', 'say what would change, and change nothing');
  bind(reconcile, async (terminal, _args, options) =>
    (await import('./commands/reconcile.ts')).reconcilePeople(terminal, { dryRun: options['dryRun'] === true }),
  );

  const unlock = program
    .command('user')
    .description('user unlock: let somebody sign in again at once')
    .command('unlock <name>')
    .description('let somebody sign in again at once after too many failures; name: user name or e-mail address')
    .requiredOption('--company-code <code>', 'of which organization')
    .option('--address <ip>', 'also let everybody at this address try again');
  bind(unlock, async (terminal, [name = ''], options) =>
    (await import('./commands/unlock-user.ts')).unlock(terminal, name, options),
  );

  addOwnerCommands(program, bind);

  const tail = program
    .command('audit')
    .description('audit tail: show and follow the audit log')
    .command('tail')
    .description('show the newest entries of all organizations')
    .option('--follow', 'go on with what happens from now on, until Ctrl-C')
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
    .description('who owns the platform, also when nobody does any more');
  const commands = async () => import('./commands/platform-owner.ts');
  const ofSomebody = (command: Command, description: string) =>
    command
      .description(`${description}; name: id, user name or e-mail address`)
      .requiredOption('--company-code <code>', 'of which organization');

  const add = 'make somebody an owner of the platform; an account that is disabled is enabled';
  bind(ofSomebody(owner.command('add <name>'), add), async (terminal, [name = ''], options) =>
    (await commands()).addOwner(terminal, name, String(options['companyCode'])),
  );
  const remove = 'take the ownership from somebody; the last owner who may sign in stays';
  bind(ofSomebody(owner.command('remove <name>'), remove), async (terminal, [name = ''], options) =>
    (await commands()).removeOwner(terminal, name, String(options['companyCode'])),
  );
  bind(owner.command('list').description('list the owners of the platform'), async (terminal) =>
    (await commands()).listOwners(terminal),
  );
}

function addWorkCommands(program: Command, bind: Bind): void {
  const retry = program
    .command('media')
    .description('media retry: process items once more')
    .command('retry [ids...]')
    .description('process media items once more')
    .option('--failed', 'all whose processing has failed');
  bind(retry, async (terminal, ids, options) =>
    (await import('./commands/retry-media.ts')).retry(terminal, ids, { failed: options['failed'] === true }),
  );

  const requery = program
    .command('orders')
    .description('orders requery: ask what became of payments')
    .command('requery [order-numbers...]')
    .description('ask the payment gateway at once what became of the payment of an order')
    .option('--pending', 'all whose payment is open');
  bind(requery, async (terminal, numbers, options) =>
    (await import('./commands/requery-orders.ts')).requery(terminal, numbers, { pending: options['pending'] === true }),
  );
}

/** One line; the whole story is for bugs, in the log of the house. */
function words(error: unknown): string {
  if (error instanceof Refusal) return `${error.message} (${error.reason})`;
  return error instanceof Error ? error.message : String(error);
}
