import { describe, inject, it, type TestContext } from 'vitest';

import { known } from '../known.ts';
import { anchors } from './anchors.ts';
import { NotRun, type Row, type Rows } from './row.ts';
import type { Server } from './server.ts';
import { serverUnder } from './server-under.ts';

const said = new Map(anchors.map(({ id, text }) => [id, text]));

/** One test for each row that has a check, on each server. */
export function conform(sections: Readonly<Record<string, Rows>>): void {
  for (const settings of inject('conformance')) {
    const server = serverUnder(settings);
    describe(`REST_AUTH=${settings.mode}`, () => {
      for (const [section, rows] of Object.entries(sections))
        describe(section, () => {
          for (const [anchor, row] of Object.entries(rows).filter(([, { check }]) => check))
            it(`${anchor}: ${said.get(anchor) ?? 'stands in no document'}`, { timeout: 240_000 }, (context) =>
              checked(anchor, row, server, settings.complete ? undefined : context),
            );
        });
    });
  }
}

/** @param context to skip a row that can't be checked; without one, that is a failure */
async function checked(anchor: string, { check }: Row, server: Server, context: TestContext | undefined) {
  const reason = known[`${anchor} (${server.mode})`] ?? known[anchor];
  try {
    await check?.(server);
  } catch (error) {
    if (error instanceof NotRun && context) context.skip(error.message);
    if (reason === undefined || error instanceof NotRun) throw error;
    return;
  }
  if (reason !== undefined) throw new Error(`${anchor} holds by now: take it out of test/conformance/known.ts`);
}
