import {
  baseType,
  dnfConjunction,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isUnionType,
  possibleRuntimeTypes,
  type CompositeType,
  type Directive,
  type NamedType,
  type Schema,
  type Type,
} from '@apollo/federation-internals';

/** What a caller must have for one type or field. Requirements that are equal are the same object. */
export interface Requirement {
  authenticated: boolean;
  /** Each entry is enough: all its scopes together. Empty for no requirement. */
  scopes: readonly (readonly string[])[];
  /** The same with policies. */
  policies: readonly (readonly string[])[];
}

/** The authorization directives of a supergraph, by the rules of Apollo's router. */
export interface Requirements {
  /** What objects of a type require in a fragment on it, or undefined. */
  ofType(type: string): Requirement | undefined;
  /** What a field requires, wherever it is selected on that type. */
  ofField(type: string, field: string): Rule;
}

export interface Rule {
  /** The caller must meet each. */
  all: readonly Requirement[];
  /** For an interface: what fields on it require beyond that, as any of its objects may be the answer. */
  ofMembers: readonly Requirement[];
  /** For an interface or a union: what its members require. A caller who meets none of these sees none of them. */
  oneOf: readonly Requirement[];
}

const SPECIFICATIONS = 'https://specs.apollo.dev/';

/** Reads the requirements of a supergraph; undefined when it has none. */
export function requirementsOf(composed: Schema): Requirements | undefined {
  const used = (['authenticated', 'requiresScopes', 'policy'] as const).map((name) => {
    const feature = composed.coreFeatures?.getByIdentity(`${SPECIFICATIONS}${name}`);
    return feature && { name, directive: feature.directiveNameInSchema(name) };
  });
  const directives = new Map(used.flatMap((one) => (one ? [[one.name, one.directive]] : [])));
  if (directives.size === 0) return undefined;
  const known = new Map<string, Requirement>();
  const fields = new Map<string, Rule>();

  function on(element: Annotated | undefined): Requirement | undefined {
    const applied = (name: 'authenticated' | 'requiresScopes' | 'policy') =>
      element?.appliedDirectivesOf(directives.get(name) ?? name)[0];
    if (!element) return undefined;
    return same({
      authenticated: applied('authenticated') !== undefined,
      scopes: alternativesIn(applied('requiresScopes')?.arguments()['scopes']),
      policies: alternativesIn(applied('policy')?.arguments()['policies']),
    });
  }

  function same(requirement: Requirement): Requirement | undefined {
    const { authenticated, scopes, policies } = requirement;
    if (!authenticated && scopes.length === 0 && policies.length === 0) return undefined;
    const key = JSON.stringify([authenticated, scopes, policies]);
    const before = known.get(key);
    if (!before) known.set(key, requirement);
    return before ?? requirement;
  }

  /** Without what composition has copied to an interface from its objects: each member requires that by itself. */
  function ofType(name: string): Requirement | undefined {
    const type = composed.type(name);
    const own = on(type);
    if (!own || !type || !isInterfaceType(type)) return own;
    return own === same(together(possibleRuntimeTypes(type).map(on))) ? undefined : own;
  }

  function ruleFor(parent: NamedType | undefined, name: string): Rule {
    const field = parent && hasFields(parent) ? parent.field(name) : undefined;
    if (!parent || !field) return { all: [], ofMembers: [], oneOf: [] };
    const output = baseType(field.type as Type);
    const onParent = [on(field), ofType(parent.name)];
    const onMembers = isInterfaceType(parent)
      ? possibleRuntimeTypes(parent).flatMap((member) => [on(member), on(member.field(name))])
      : [];
    const members = isAbstractType(output) ? possibleRuntimeTypes(output).map(on) : [];
    return {
      all: distinct([...onParent, ofType(output.name), ...onMembers]),
      ofMembers: isInterfaceType(output) ? distinct(members) : [],
      oneOf: members.every((requirement) => requirement !== undefined) ? distinct(members) : [],
    };
  }

  return {
    ofType,
    ofField(type, field) {
      const key = `${type}.${field}`;
      const rule = fields.get(key) ?? ruleFor(composed.type(type), field);
      fields.set(key, rule);
      return rule;
    },
  };
}

interface Annotated {
  appliedDirectivesOf(name: string): readonly Directive[];
}

const hasFields = (type: NamedType): type is Exclude<CompositeType, { kind: 'UnionType' }> =>
  isCompositeType(type) && !isUnionType(type);

const distinct = (requirements: readonly (Requirement | undefined)[]): Requirement[] => [
  ...new Set(requirements.filter((requirement) => requirement !== undefined)),
];

/** In one order, so that equal ones are found. No alternative at all requires nothing, by the specification. */
function alternativesIn(argument: unknown): string[][] {
  const alternatives = (Array.isArray(argument) ? argument : []) as string[][];
  if (alternatives.some((names) => names.length === 0)) return [];
  return alternatives.map((names) => [...new Set(names)].toSorted()).toSorted(byText);
}

const byText = (one: unknown, other: unknown) => (String(one) < String(other) ? -1 : 1);

/** What composition writes on an interface: everything that any of its objects requires. */
function together(requirements: readonly (Requirement | undefined)[]): Requirement {
  const given = requirements.filter((requirement) => requirement !== undefined);
  const conjunction = (all: readonly Requirement['scopes'][]) => {
    const some = all.filter(({ length }) => length > 0).map((alternatives) => alternatives.map((names) => [...names]));
    return some.length > 0 ? alternativesIn(dnfConjunction(some)) : [];
  };
  return {
    authenticated: given.some(({ authenticated }) => authenticated),
    scopes: conjunction(given.map(({ scopes }) => scopes)),
    policies: conjunction(given.map(({ policies }) => policies)),
  };
}
