/** The command line for operators: `pnpm foyer --help`. Exit codes: 0 done, 1 failed, 2 wrong use. */
import { load } from '../bundle.ts';

await load('cli', () => import('./command.ts'));
