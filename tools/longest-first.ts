import { relative } from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, longest first, as measured on a quiet machine. */
export const longest = [
  'subgraphs/media/src/processing/corpus.integration.test.ts',
  'test/media/random-kills.test.ts',
  'test/ticketing/mail-survival.test.ts',
  'test/start-up.test.ts',
  'test/media/storage.test.ts',
  'test/media/publishing-survival.test.ts',
  'test/pages/docs.test.ts',
  'test/media/playback.test.ts',
  'test/media/processing-survival.test.ts',
  'test/pages/payment.test.ts',
  'test/pages/login.test.ts',
  'test/conformance/identity.test.ts',
  'test/media/editing-survival.test.ts',
  'test/media/nodes.test.ts',
  'test/pages/login-passwords.test.ts',
  'test/media/store-away.test.ts',
  'test/identity/bad-input.test.ts',
  'test/ticketing/order-survival.test.ts',
  'gateway/src/data-sources/over-http.integration.test.ts',
  'subgraphs/media/src/processing/normalizing.integration.test.ts',
  'subgraphs/media/src/library/move-media.integration.test.ts',
  'subgraphs/media/src/assets/private-media.integration.test.ts',
];

/**
 * Starts the longest files first, so that none of them runs alone at the end; the others follow in vitest's order. Vitest
 * knows how long files take from its last run, which a fresh clone has not seen.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files); // oxlint-disable-line unicorn/no-array-sort -- not of an array
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || this.rankOf(a) - this.rankOf(b));
  }

  private rankOf({ moduleId }: TestSpecification): number {
    const rank = longest.indexOf(relative(this.ctx.config.root, moduleId));
    return rank === -1 ? longest.length : rank;
  }
}

const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
