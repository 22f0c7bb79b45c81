import { isAbstractType, isInterfaceType, isObjectType, type GraphQLSchema } from 'graphql';

/** Answers whether objects of a type meet a type condition, and remembers the answer. */
export interface Types {
  meets(typename: string, condition: string): boolean;
}

export function typesOf(schema: GraphQLSchema): Types {
  const answers = new Map<string, Map<string, boolean>>();

  function find(typename: string, condition: string): boolean {
    const type = schema.getType(typename);
    const wanted = schema.getType(condition);
    if (!type || !wanted || !isAbstractType(wanted)) return false;
    return (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(wanted, type);
  }
  return {
    meets(typename, condition) {
      if (typename === condition) return true;
      const ofCondition = answers.get(condition) ?? new Map<string, boolean>();
      const known = ofCondition.get(typename);
      if (known !== undefined) return known;
      const answer = find(typename, condition);
      // Only names of the schema are kept: what else a subgraph may say is without number.
      if (schema.getType(typename)) answers.set(condition, ofCondition.set(typename, answer));
      return answer;
    },
  };
}
