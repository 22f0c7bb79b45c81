import { buildSchema, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { expect, it } from 'vitest';

import { publicSdl } from './support/tables/access-rules.ts';

/** Input fields whose value is read under another name. */
const readAs: Readonly<Record<string, string>> = {
  imageMediaId: 'image',
  organizationName: 'name',
  unitPriceSen: 'unitPrice',
  transcodingProfileId: 'transcodingProfile',
};
/** Fields that say what is changed, and where. */
const names = new Set(['id', 'organizationId', 'workspaceId', 'teamId', 'roleId', 'userId']);

const updates = Object.values(buildSchema(publicSdl()).getMutationType()?.getFields() ?? {}).filter(({ name }) =>
  /^(?:update|edit)[A-Z]/.test(name),
);

it('whatever an update replaces can be read first, so that whoever changes one field can send back the others', () => {
  const unreadable = updates.flatMap(({ name, args, type }) => {
    const answer = getNamedType(type);
    if (!isObjectType(answer)) return [`${name}: no object`];
    const wrapped = answer.getFields()['channel']; // beside the failures of its origins
    const changed = wrapped ? getNamedType(wrapped.type) : answer;
    const readable = isObjectType(changed) ? changed.getFields() : {};
    return args
      .map((argument) => getNamedType(argument.type))
      .filter(isInputObjectType)
      .flatMap((input) => Object.keys(input.getFields()))
      .filter((field) => !names.has(field) && !((readAs[field] ?? field) in readable))
      .map((field) => `${name}: ${field}`);
  });

  expect(updates.length).toBeGreaterThan(10);
  expect(unreadable).toEqual([]);
});
