import { isInterfaceType, isObjectType, isUnionType, type Schema } from '@apollo/federation-internals';

/** Answers whether objects of a type meet a type condition, and caches the answers. */
export interface Types {
  meets(typename: string, condition: string): boolean;
}

export function typesOf(schema: Schema): Types {
  const answers = new Map<string, Map<string, boolean>>();

  function find(typename: string, condition: string): boolean {
    const type = schema.type(typename);
    const wanted = schema.type(condition);
    if (!type || !wanted || !(isObjectType(type) || isInterfaceType(type))) return false;
    if (isUnionType(wanted)) return wanted.hasTypeMember(type.name);
    return isInterfaceType(wanted) && type.implementsInterface(wanted.name);
  }
  return {
    meets(typename, condition) {
      if (typename === condition) return true;
      const ofCondition = answers.get(condition) ?? new Map<string, boolean>();
      const known = ofCondition.get(typename);
      if (known !== undefined) return known;
      const answer = find(typename, condition);
      // Only names of the schema are cached: a subgraph could return any number of others.
      if (schema.type(typename)) answers.set(condition, ofCondition.set(typename, answer));
      return answer;
    },
  };
}
