import type { Field, Operation, Schema } from '@apollo/federation-internals';
import type { QueryPlan } from '@apollo/query-planner';
import type { RequestScope } from '@foyer/shared/http/request';

import { shapeOf, type Selected } from '../plan/shape.ts';
import { callerOf, lackOf, type EvaluatePolicies } from './access.ts';
import { authorize, requirementsIn, type Authorized } from './authorize.ts';
import { overrideLabels } from './override-labels.ts';
import { requirementsOf, type Requirement } from './requirements.ts';

export interface VariantOptions {
  /** Grants policies beyond those that the credential claims; without it nothing does. */
  evaluatePolicies?: EvaluatePolicies | undefined;
  /** The labels of `@override` that apply, beside `percent(…)`. */
  overrideLabels?: readonly string[];
}

/** What of a planned operation depends on the caller. */
export interface Variable {
  queryPlan: QueryPlan;
  /** The shape of its response. */
  shape: readonly Selected[];
  /** The errors of what the caller may not see of it; undefined when they may see everything. */
  unauthorized?: Authorized['errorsFor'];
}

/** Plans that differ between callers: by the authorization directives, and by the labels of `@override`. */
export interface PlanVariants<Planned extends Variable> {
  /**
   * @param requested the operation as the client sent it
   * @param budget runs the planner, or throws
   */
  forCaller(
    planned: Planned,
    requested: () => Operation,
    scope: RequestScope,
    budget: <Result>(plan: () => Result) => Result,
  ): Promise<Planned>;
}

interface Needs extends VariantOptions {
  composed: Schema;
  planOf(operation: Operation, overrideConditions: Map<string, boolean>): QueryPlan;
  /** The name of a field in the data of the plan. */
  inPlan(field: Field): string;
}

/** Callers who lack different things need different plans: more than this for one operation, and the oldest is forgotten. */
const MOST_VARIANTS = 16;

/** What is known of an operation, whoever sends it. */
interface Known<Planned> {
  requirements: readonly Requirement[];
  policies: readonly string[];
  variants: Map<string, Planned>;
}

/** Undefined when no plan of the supergraph depends on the caller. */
export function planVariants<Planned extends Variable>(needs: Needs): PlanVariants<Planned> | undefined {
  const required = requirementsOf(needs.composed);
  const labels = overrideLabels(needs.composed, needs.overrideLabels ?? []);
  if (!required && !labels) return undefined;
  const known = new WeakMap<Planned, Known<Planned>>();

  function knownOf(planned: Planned, requested: () => Operation): Known<Planned> {
    const before = known.get(planned);
    if (before) return before;
    const requirements = required ? requirementsIn(requested(), required) : [];
    const policies = [...new Set(requirements.flatMap((requirement) => requirement.policies.flat()))];
    const found = { requirements, policies, variants: new Map<string, Planned>() };
    known.set(planned, found);
    return found;
  }

  return {
    async forCaller(planned, requested, scope, budget) {
      const { requirements, policies, variants } = knownOf(planned, requested);
      const active = labels?.activeFor(scope) ?? [];
      if (requirements.length === 0 && active.length === 0) return planned;
      const caller = await callerOf(scope, policies, needs.evaluatePolicies);
      const lacks = new Map(requirements.map((requirement) => [requirement, lackOf(requirement, caller)]));
      const key = JSON.stringify([[...lacks.values()], active]);
      const before = variants.get(key);
      if (before) return before;

      const variant = budget((): Planned => {
        const operation = requested();
        const allowed = required && authorize(operation, required, (requirement) => lacks.get(requirement));
        if (!allowed && active.length === 0) return planned;
        return {
          ...planned,
          queryPlan: needs.planOf(allowed?.operation ?? operation, new Map(active.map((label) => [label, true]))),
          ...(allowed && {
            shape: shapeOf(operation, { ...needs, denied: allowed.denied }),
            unauthorized: allowed.errorsFor,
          }),
        };
      });
      const [oldest] = variants.keys();
      if (variants.size >= MOST_VARIANTS && oldest !== undefined) variants.delete(oldest);
      variants.set(key, variant);
      return variant;
    },
  };
}
