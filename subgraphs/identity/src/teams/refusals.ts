import { Refusal } from '@foyer/shared/errors';

/** Also for one of another organization. */
export const teamNotFound = () =>
  new Refusal('NOT_FOUND', 'TEAM_NOT_FOUND', 'There is no such team in this organization.');

export const alreadyInTeam = () => new Refusal('CONFLICT', 'ALREADY_IN_TEAM', 'This person is in the team already.');

export const notInTeam = () => new Refusal('NOT_FOUND', 'TEAM_MEMBER_NOT_FOUND', 'This person is not in the team.');

export const alreadyGranted = () =>
  new Refusal('CONFLICT', 'ALREADY_GRANTED', 'This team has a role in the workspace already.');

export const notGranted = () =>
  new Refusal('NOT_FOUND', 'TEAM_WORKSPACE_NOT_FOUND', 'This team has no role in the workspace.');
