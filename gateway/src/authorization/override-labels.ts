import { createHash } from 'node:crypto';

import type { Schema } from '@apollo/federation-internals';
import type { RequestScope } from '@foyer/shared/http/request';

import { countedAs } from '../request/counted-as.ts';

/** Decides which labels of `@override` apply to a request: for those the field comes from the overriding subgraph. */
export interface OverrideLabels {
  activeFor(scope: RequestScope): readonly string[];
}

const PERCENT = /^percent\((\d+(?:\.\d+)?)\)$/u;

/**
 * Reads the labels of a supergraph; undefined when it has none.
 *
 * @param active the other labels than `percent(…)` that apply; every other one does not
 */
export function overrideLabels(composed: Schema, active: readonly string[]): OverrideLabels | undefined {
  const applications = composed.directive('join__field')?.applications() ?? [];
  const labels = new Set(
    [...applications].flatMap((applied) => {
      const { overrideLabel } = applied.arguments() as { overrideLabel?: string };
      return overrideLabel ? [overrideLabel] : [];
    }),
  );
  if (labels.size === 0) return undefined;
  const always = [...labels].filter((label) => active.includes(label));
  const shares = [...labels].flatMap((label) => {
    const [, percent] = PERCENT.exec(label) ?? [];
    return percent === undefined ? [] : [{ label, percent: Number(percent) }];
  });
  return {
    activeFor(scope) {
      if (shares.length === 0) return always;
      const place = placeOf(scope);
      return [...always, ...shares.filter(({ percent }) => place < percent).map(({ label }) => label)];
    },
  };
}

/**
 * The place of a caller between 0 and 100, the same for all labels and in all processes: nobody jumps between two
 * subgraphs from request to request, and who is among 10 percent is also among 50.
 */
function placeOf(scope: RequestScope): number {
  const hash = createHash('sha256').update(countedAs(scope));
  return (hash.digest().readUIntBE(0, 6) / 2 ** 48) * 100;
}
