import type { PlanNode, QueryPlan } from '@apollo/query-planner';
import { Refusal } from '@foyer/shared/errors';
import { Kind, OperationTypeNode, parse, type FieldNode, type SelectionSetNode } from 'graphql';

/** The values of variables under which a step of a plan is taken. */
type When = ReadonlyMap<string, boolean>;

/**
 * Refuses a plan that would make one change twice. The planner makes one where a mutation asks for a field again under another
 * condition, after a field of another subgraph.
 *
 * @throws {Refusal} `REPEATED_CHANGE`
 */
export function refuseRepeatedChanges({ node }: QueryPlan): void {
  const made: { name: string; when: When }[] = [];

  function look(step: PlanNode | undefined, when: When): void {
    switch (step?.kind) {
      case 'Fetch':
        for (const name of changesIn(step.operation)) {
          if (made.some((earlier) => earlier.name === name && mayBeBoth(earlier.when, when))) throw repeated(name);
          made.push({ name, when });
        }
        return;
      case 'Sequence':
      case 'Parallel':
        for (const one of step.nodes) look(one, when);
        return;
      case 'Condition':
        look(step.ifClause, new Map(when).set(step.condition, true));
        look(step.elseClause, new Map(when).set(step.condition, false));
        return;
      default: // what follows a change only reads
    }
  }
  look(node as PlanNode | undefined, new Map());
}

const mayBeBoth = (one: When, other: When): boolean =>
  [...one].every(([variable, value]) => (other.get(variable) ?? value) === value);

/** The names that the root fields of a mutation have in its response; the type name, which changes nothing, is none. */
function changesIn(text: string): Set<string> {
  const { definitions } = parse(text, { noLocation: true });
  const fragments = new Map(
    definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  const fieldsOf = (set: SelectionSetNode | undefined): FieldNode[] =>
    (set?.selections ?? []).flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      return fieldsOf(isSpread ? fragments.get(selection.name.value) : selection.selectionSet);
    });
  const changes = definitions.find(
    (one) => one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.MUTATION,
  );
  const root = changes && 'selectionSet' in changes ? changes.selectionSet : undefined;
  const fields = fieldsOf(root).filter(({ name }) => name.value !== '__typename');
  return new Set(fields.map(({ alias, name }) => (alias ?? name).value));
}

const repeated = (name: string) =>
  new Refusal(
    'BAD_USER_INPUT',
    'REPEATED_CHANGE',
    `A mutation must not ask for ${name} again under another condition: put the condition on fields within it.`,
  );
