import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe } from 'vitest';

import { areBuilt } from './cases/images.ts';
import { losesProcessesAndServices } from './cases/losses.ts';
import { isDeployed, isStoppedAndStarted, namesTheCauseOfAFailedMigration } from './cases/operation.ts';
import { isRecovered, isRestored, runsWithServicesElsewhere } from './cases/recovery.ts';
import { comesUp, runsInBounds, startsQuickly } from './cases/start.ts';
import { hasEngine } from './engine.ts';
import { figures, MINUTES, shared } from './shared.ts';

const noEngine = !hasEngine && !process.env['CI'];
const why = noEngine ? ' (skipped: no Docker engine on this machine)' : '';

beforeAll(async () => {
  shared.folder = await mkdtemp(join(tmpdir(), 'foyer-films-'));
});

afterAll(async () => {
  if (figures.length > 0) process.stdout.write(`\n${figures.join('\n')}\n`);
  await shared.here?.remove();
  await rm(shared.folder, { recursive: true, force: true });
}, 5 * MINUTES);

describe.skipIf(noEngine)(`the images${why}`, () => {
  areBuilt();
});

describe.skipIf(noEngine)(`an installation${why}`, () => {
  comesUp();
  runsInBounds();
  startsQuickly();
  losesProcessesAndServices();
  isDeployed();
  isStoppedAndStarted();
  isRecovered();
  isRestored();
  runsWithServicesElsewhere();
  namesTheCauseOfAFailedMigration();
});
