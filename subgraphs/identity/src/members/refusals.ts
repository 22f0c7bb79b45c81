import { Refusal } from '@foyer/shared/errors';

export const doubleAccess = (people: readonly string[]) =>
  new Refusal(
    'CONFLICT',
    'DOUBLE_ACCESS',
    'A person has access to a workspace either directly or through a team, not both.',
    { people },
  );

export const alreadyMember = () =>
  new Refusal('CONFLICT', 'ALREADY_MEMBER', 'This person has direct access to the workspace already.');

export const noDirectAccess = () =>
  new Refusal('NOT_FOUND', 'MEMBER_NOT_FOUND', 'This person has no direct access to the workspace.');
