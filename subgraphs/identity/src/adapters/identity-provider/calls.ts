/** A remote procedure, as both families of the provider's v2 interface name it. */
export interface Call {
  service: string;
  method: string;
  verb: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The REST path, with the body fields that it takes in braces. */
  path: string;
}

const user = 'zitadel.user.v2.UserService';
const org = 'zitadel.org.v2.OrganizationService';
const session = 'zitadel.session.v2.SessionService';
const settings = 'zitadel.settings.v2.SettingsService';

/** All calls. Connect posts to /<service>/<method>; REST uses verb and path. The body is the same. */
export const calls = {
  addOrganization: { service: org, method: 'AddOrganization', verb: 'POST', path: '/v2/organizations' },
  listOrganizations: { service: org, method: 'ListOrganizations', verb: 'POST', path: '/v2/organizations/_search' },
  /** Since 4.7. */
  deleteOrganization: {
    service: org,
    method: 'DeleteOrganization',
    verb: 'DELETE',
    path: '/v2/organizations/{organizationId}',
  },
  /** Since 4.0. */
  createUser: { service: user, method: 'CreateUser', verb: 'POST', path: '/v2/users/new' },
  /** Before 4.0. */
  addHumanUser: { service: user, method: 'AddHumanUser', verb: 'POST', path: '/v2/users/human' },
  listUsers: { service: user, method: 'ListUsers', verb: 'POST', path: '/v2/users' },
  getUser: { service: user, method: 'GetUserByID', verb: 'GET', path: '/v2/users/{userId}' },
  /** Since 4.0. */
  updateUser: { service: user, method: 'UpdateUser', verb: 'PATCH', path: '/v2/users/{userId}' },
  /** Before 4.0. */
  setPassword: { service: user, method: 'SetPassword', verb: 'POST', path: '/v2/users/{userId}/password' },
  deactivateUser: { service: user, method: 'DeactivateUser', verb: 'POST', path: '/v2/users/{userId}/deactivate' },
  reactivateUser: { service: user, method: 'ReactivateUser', verb: 'POST', path: '/v2/users/{userId}/reactivate' },
  lockUser: { service: user, method: 'LockUser', verb: 'POST', path: '/v2/users/{userId}/lock' },
  unlockUser: { service: user, method: 'UnlockUser', verb: 'POST', path: '/v2/users/{userId}/unlock' },
  deleteUser: { service: user, method: 'DeleteUser', verb: 'DELETE', path: '/v2/users/{userId}' },
  createSession: { service: session, method: 'CreateSession', verb: 'POST', path: '/v2/sessions' },
  deleteSession: { service: session, method: 'DeleteSession', verb: 'DELETE', path: '/v2/sessions/{sessionId}' },
  passwordRules: {
    service: settings,
    method: 'GetPasswordComplexitySettings',
    verb: 'GET',
    path: '/v2/settings/password/complexity',
  },
} as const satisfies Record<string, Call>;
