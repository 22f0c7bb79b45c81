import {
  GraphQLError,
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';

/** The limits of an operation's shape. */
export interface Limits {
  depth: number;
  aliases: number;
  rootFields: number;
  fields: number;
}

/** The measures of a selection with its fragments spread. */
type Size = Omit<Limits, 'rootFields'>;

const introspection = new Set(['__schema', '__type', '__typename']);

/**
 * Refuses an operation that is deeper or wider than allowed, before it is planned.
 *
 * Fragments are measured once and counted wherever they are spread, so that a document of a few
 * hundred bytes can't stand for millions of fields. Introspection is not held to the depth: its
 * own rule in graphql-js limits how it may nest. Root fields of one name are executed as one, and count once; all other
 * repetitions count, because validating and planning them costs time.
 */
export const withinLimits =
  (limits: Limits): ValidationRule =>
  (context) => ({
    OperationDefinition: {
      enter(operation: OperationDefinitionNode) {
        const fragmentOf: FragmentOf = (name) => context.getFragment(name);
        const size: Limits = {
          ...measure(operation.selectionSet, fragmentOf),
          rootFields: responseNames(operation.selectionSet, fragmentOf).size,
        };
        for (const limit of ['depth', 'aliases', 'rootFields', 'fields'] as const) {
          if (size[limit] > limits[limit]) context.reportError(overLimit(operation, limit, limits[limit]));
        }
      },
    },
  });

/** Counts the fields of a document's operations; each fragment counts as often as it is spread. */
export function fieldsOf({ definitions }: DocumentNode): number {
  const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  return operations.reduce(
    (all, { selectionSet }) => all + measure(selectionSet, (name) => byName.get(name)).fields,
    0,
  );
}

const words = {
  depth: ['MAX_DEPTH', 'levels deep'],
  aliases: ['MAX_ALIASES', 'aliases'],
  rootFields: ['MAX_ROOT_FIELDS', 'root fields'],
  fields: ['MAX_FIELDS', 'fields'],
} as const;

function overLimit(operation: OperationDefinitionNode, limit: keyof Limits, most: number): GraphQLError {
  const [reason, what] = words[limit];
  return new GraphQLError(`An operation may have at most ${most} ${what}.`, {
    nodes: operation,
    extensions: { reason },
  });
}

type FragmentOf = (name: string) => FragmentDefinitionNode | null | undefined;

/** The names that a selection has in the response, also through fragments. */
function responseNames(root: SelectionSetNode, fragmentOf: FragmentOf): Set<string> {
  const names = new Set<string>();
  const spread = new Set<string>();
  const collect = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) names.add((selection.alias ?? selection.name).value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragmentOf(selection.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  collect(root);
  return names;
}

function measure(root: SelectionSetNode, fragmentOf: FragmentOf): Size {
  const ofFragments = new Map<string, Size>();

  function ofFragment(name: string): Size {
    const known = ofFragments.get(name);
    if (known) return known;
    ofFragments.set(name, nothing); // a cycle ends here; another rule reports it
    const fragment = fragmentOf(name);
    const size = fragment ? ofSelections(fragment.selectionSet) : nothing;
    ofFragments.set(name, size);
    return size;
  }

  function ofSelections({ selections }: SelectionSetNode): Size {
    let size = nothing;
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) size = sum(size, ofSelections(selection.selectionSet));
      else if (selection.kind === Kind.FRAGMENT_SPREAD) size = sum(size, ofFragment(selection.name.value));
      else {
        const below = selection.selectionSet ? ofSelections(selection.selectionSet) : nothing;
        size = sum(size, {
          depth: introspection.has(selection.name.value) ? 0 : below.depth + 1,
          aliases: below.aliases + (selection.alias ? 1 : 0),
          fields: below.fields + 1,
        });
      }
    }
    return size;
  }

  return ofSelections(root);
}

const nothing: Size = { depth: 0, aliases: 0, fields: 0 };

const sum = (one: Size, other: Size): Size => ({
  depth: Math.max(one.depth, other.depth),
  aliases: one.aliases + other.aliases,
  fields: one.fields + other.fields,
});
