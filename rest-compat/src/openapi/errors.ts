import type { ErrorCode } from '@foyer/shared/errors';

export type Reasons = Partial<Record<ErrorCode, readonly string[]>>;

const organization = 'ORGANIZATION_NOT_FOUND';
const inOrganization: Reasons = { NOT_FOUND: [organization] };
const inTeam = [organization, 'TEAM_NOT_FOUND'];
const inWorkspace = [organization, 'WORKSPACE_NOT_FOUND'];
/** To give somebody a role. */
const granting = { BAD_USER_INPUT: ['UNKNOWN_ROLE'], FORBIDDEN: ['ROLE_ABOVE_OWN'] } satisfies Reasons;

const ordering = {
  BAD_USER_INPUT: ['INVALID_DATE', 'DATE_CLOSED', 'NOT_ON_SALE', 'ITEM_NOT_OFFERED', 'LIMIT', 'AMOUNT_OUT_OF_RANGE'],
  FORBIDDEN: ['FORBIDDEN', 'CUSTOMER_NOT_VALID'],
  NOT_FOUND: ['TICKET_GROUP_NOT_FOUND'],
  CONFLICT: ['SOLD_OUT', 'PRICE_MISMATCH'],
  UNPROCESSABLE: ['IDEMPOTENCY_KEY_REUSED'],
  RATE_LIMITED: ['RATE_LIMITED', 'TOO_MANY_OPEN_ORDERS'],
  UPSTREAM_UNAVAILABLE: ['ORDER_UNCERTAIN'],
} satisfies Reasons;
const atProvider: Reasons = { UPSTREAM_UNAVAILABLE: ['IDENTITY_PROVIDER_DOWN'] };
const refusedPeople = ['ACCOUNT_DISABLED', 'ACCOUNT_INVITED', 'ACCOUNT_PENDING', 'ORG_PENDING', 'ORG_DISABLED'];
const changing = {
  FORBIDDEN: ['ROLE_ABOVE_OWN', 'OWN_ROLE'],
  NOT_FOUND: [organization, 'USER_NOT_FOUND'],
  CONFLICT: ['LAST_OWNER', 'LAST_ADMINISTRATOR'],
} satisfies Reasons;
const leaving = [...changing.CONFLICT, 'LAST_PLATFORM_OWNER'];
const redeeming: Reasons = {
  UNAUTHENTICATED: ['MAGIC_LINK_INVALID', 'MAGIC_LINK_EXPIRED'],
  FORBIDDEN: refusedPeople.filter((reason) => reason !== 'ACCOUNT_INVITED'),
  UPSTREAM_UNAVAILABLE: ['LICENSE_EXPIRED'],
};
const limited: Reasons = { RATE_LIMITED: ['RATE_LIMITED'] };
const missingNode: Reasons = { NOT_FOUND: ['NODE_NOT_FOUND'] };
const changesOfNodes = ['Streamer', 'CacheNode', 'LoadBalancerNode'].flatMap((kind) =>
  ['update', 'delete', 'ping'].map((action) => `${action}${kind}`),
);

/**
 * The refusals of a root field's own rules. Those of every route (VALIDATION_FAILED, UNAUTHENTICATED, FORBIDDEN) are not
 * listed.
 */
export const reasonsOf: Readonly<Record<string, Reasons>> = {
  login: {
    UNAUTHENTICATED: ['INVALID_CREDENTIALS'],
    FORBIDDEN: refusedPeople,
    BAD_USER_INPUT: ['COMPANY_CODE_REQUIRED'],
    RATE_LIMITED: ['RATE_LIMITED'],
    UPSTREAM_UNAVAILABLE: ['LICENSE_EXPIRED', 'IDENTITY_PROVIDER_DOWN'],
  },
  refresh: {
    BAD_USER_INPUT: ['CLIENT_TYPE_REQUIRED'],
    UNAUTHENTICATED: [
      'no_refresh_token',
      'invalid_refresh_token',
      'refresh_token_rotated',
      'refresh_token_reused',
      'ACCOUNT_DISABLED',
      'ORG_DISABLED',
      'ORG_PENDING',
    ],
  },
  meIfSignedIn: { FORBIDDEN: ['FORBIDDEN'] },
  logout: { UNAUTHENTICATED: ['UNAUTHENTICATED'] },
  revokeSession: { NOT_FOUND: ['SESSION_NOT_FOUND'] },
  redeemMagicLink: redeeming,
  changePassword: {
    BAD_USER_INPUT: ['CURRENT_PASSWORD_REQUIRED', 'PASSWORD_TOO_SIMPLE', 'PASSWORD_TOO_LONG', 'PASSWORD_UNCHANGED'],
    UNAUTHENTICATED: ['INVALID_CREDENTIALS'],
    CONFLICT: ['BUSY'],
    RATE_LIMITED: ['RATE_LIMITED'],
    ...atProvider,
  },
  requestPasswordReset: limited,
  confirmPasswordReset: {
    BAD_USER_INPUT: ['PASSWORD_RESET_INVALID', 'PASSWORD_TOO_SIMPLE', 'PASSWORD_TOO_LONG'],
    FORBIDDEN: refusedPeople.filter((reason) => reason.startsWith('ACCOUNT_')),
    CONFLICT: ['BUSY'],
    ...atProvider,
  },
  companyByCode: limited,
  requestSignupCode: limited,
  selfSignup: {
    BAD_USER_INPUT: ['SIGNUP_CODE_INVALID'],
    CONFLICT: ['COMPANY_CODE_TAKEN', 'EMAIL_TAKEN'],
    ...limited,
  },
  inviteUser: {
    BAD_USER_INPUT: ['EMAIL_PROFILE_MISSING'],
    CONFLICT: ['USERNAME_TAKEN', 'EMAIL_TAKEN', 'ORGANIZATION_NOT_READY', 'BUSY'],
    RATE_LIMITED: ['RATE_LIMITED'],
    ...atProvider,
  },
  createMember: {
    BAD_USER_INPUT: ['PASSWORD_TOO_SIMPLE', 'PASSWORD_TOO_LONG'],
    NOT_FOUND: [organization],
    CONFLICT: ['USERNAME_TAKEN', 'EMAIL_TAKEN', 'ORGANIZATION_NOT_ACTIVE', 'BUSY'],
    ...atProvider,
  },
  reinviteUser: {
    BAD_USER_INPUT: ['EMAIL_PROFILE_MISSING'],
    NOT_FOUND: ['USER_NOT_FOUND'],
    CONFLICT: ['USER_NOT_INVITED', 'ORGANIZATION_NOT_READY'],
    RATE_LIMITED: ['RATE_LIMITED'],
  },
  upsertUser: { CONFLICT: ['USER_BELONGS_ELSEWHERE'] },
  createOrganization: {
    BAD_USER_INPUT: ['UNKNOWN_APPS', 'PASSWORD_TOO_SIMPLE', 'PASSWORD_TOO_LONG'],
    CONFLICT: ['COMPANY_CODE_TAKEN', 'ORGANIZATION_NAME_TAKEN', 'USERNAME_TAKEN', 'EMAIL_TAKEN', 'BUSY'],
    UPSTREAM_UNAVAILABLE: ['IDENTITY_PROVIDER_DOWN', 'LICENSING_UNAVAILABLE'],
  },
  setOrganizationStatus: {
    FORBIDDEN: ['ROLE_ABOVE_OWN'],
    NOT_FOUND: [organization],
    CONFLICT: [
      'PLATFORM_ORG_PROTECTED',
      'LAST_PLATFORM_OWNER',
      'ORGANIZATION_NAME_TAKEN',
      'USERNAME_TAKEN',
      'ORGANIZATION_IN_USE',
      'BUSY',
    ],
    ...atProvider,
  },
  deleteOrganization: {
    NOT_FOUND: [organization],
    CONFLICT: ['PLATFORM_ORG_PROTECTED', 'LAST_PLATFORM_OWNER'],
    ...atProvider,
  },
  setOrganizationApps: { BAD_USER_INPUT: ['UNKNOWN_APPS'], NOT_FOUND: [organization] },
  accounts: inOrganization,
  members: inOrganization,
  setMemberRole: { BAD_USER_INPUT: ['UNKNOWN_ROLE'], ...changing },
  setMemberStatus: { ...changing, CONFLICT: [...leaving, 'OWN_ACCOUNT', 'ACCOUNT_INVITED', 'ACCOUNT_PENDING'] },
  removeMember: { ...changing, CONFLICT: leaving, ...atProvider },
  roles: inOrganization,
  rolesMatrix: inOrganization,
  roleMembers: { NOT_FOUND: [organization, 'ROLE_NOT_FOUND'] },
  createRole: { FORBIDDEN: ['ROLE_ABOVE_OWN'], NOT_FOUND: [organization], CONFLICT: ['ROLE_NAME_TAKEN'] },
  updateRole: {
    FORBIDDEN: ['SYSTEM_ROLE', 'ROLE_ABOVE_OWN'],
    NOT_FOUND: [organization, 'ROLE_NOT_FOUND'],
    CONFLICT: ['ROLE_NAME_TAKEN'],
  },
  deleteRole: {
    FORBIDDEN: ['SYSTEM_ROLE', 'ROLE_ABOVE_OWN'],
    NOT_FOUND: [organization, 'ROLE_NOT_FOUND'],
    CONFLICT: ['ROLE_IN_USE'],
  },
  teams: inOrganization,
  teamMembers: { NOT_FOUND: inTeam },
  createTeam: inOrganization,
  updateTeam: { NOT_FOUND: inTeam },
  deleteTeam: { NOT_FOUND: inTeam },
  addTeamMember: {
    FORBIDDEN: ['ROLE_ABOVE_OWN'],
    NOT_FOUND: [...inTeam, 'USER_NOT_FOUND'],
    CONFLICT: ['ALREADY_IN_TEAM', 'DOUBLE_ACCESS'],
  },
  setTeamMemberRole: { NOT_FOUND: [...inTeam, 'TEAM_MEMBER_NOT_FOUND'] },
  removeTeamMember: { NOT_FOUND: [...inTeam, 'TEAM_MEMBER_NOT_FOUND'] },
  grantTeamWorkspace: {
    ...granting,
    NOT_FOUND: [...inTeam, 'WORKSPACE_NOT_FOUND'],
    CONFLICT: ['ALREADY_GRANTED', 'DOUBLE_ACCESS'],
  },
  setTeamWorkspaceRole: { ...granting, NOT_FOUND: [...inTeam, 'TEAM_WORKSPACE_NOT_FOUND'] },
  revokeTeamWorkspace: { NOT_FOUND: [...inTeam, 'TEAM_WORKSPACE_NOT_FOUND'] },
  workspaces: inOrganization,
  createWorkspace: inOrganization,
  updateWorkspace: { NOT_FOUND: inWorkspace },
  deleteWorkspace: { NOT_FOUND: inWorkspace },
  setWorkspaceApps: {
    BAD_USER_INPUT: ['UNKNOWN_APPS'],
    NOT_FOUND: inWorkspace,
    CONFLICT: ['APPS_NOT_GRANTED'],
  },
  workspaceMembers: { NOT_FOUND: inWorkspace },
  addWorkspaceMember: {
    ...granting,
    NOT_FOUND: [...inWorkspace, 'USER_NOT_FOUND'],
    CONFLICT: ['ALREADY_MEMBER', 'DOUBLE_ACCESS'],
  },
  setWorkspaceMemberRole: { ...granting, NOT_FOUND: [...inWorkspace, 'MEMBER_NOT_FOUND'] },
  removeWorkspaceMember: { FORBIDDEN: ['ROLE_ABOVE_OWN'], NOT_FOUND: [...inWorkspace, 'MEMBER_NOT_FOUND'] },
  createEmailProfile: { CONFLICT: ['EMAIL_PROFILE_NAME_TAKEN'] },
  updateEmailProfile: { NOT_FOUND: ['EMAIL_PROFILE_NOT_FOUND'], CONFLICT: ['EMAIL_PROFILE_NAME_TAKEN'] },
  deleteEmailProfile: { NOT_FOUND: ['EMAIL_PROFILE_NOT_FOUND'] },
  mapEmailUsage: { NOT_FOUND: ['EMAIL_PROFILE_NOT_FOUND'] },
  registerCustomer: { BAD_USER_INPUT: ['PASSWORD_TOO_SIMPLE'], ...limited, ...atProvider },
  loginCustomer: {
    UNAUTHENTICATED: ['INVALID_CREDENTIALS'],
    FORBIDDEN: ['ACCOUNT_DISABLED'],
    RATE_LIMITED: ['RATE_LIMITED'],
  },
  order: limited,
  createOrder: { ...ordering, BAD_USER_INPUT: [...ordering.BAD_USER_INPUT, 'USE_FREE_ROUTE'] },
  createFreeOrder: { ...ordering, BAD_USER_INPUT: [...ordering.BAD_USER_INPUT, 'NOT_FREE'] },
  generatePaymentToken: limited,
  startPayment: {
    BAD_USER_INPUT: ['AMOUNT_OUT_OF_RANGE'],
    NOT_FOUND: ['ORDER_NOT_FOUND'],
    CONFLICT: ['ORDER_NOT_PAYABLE', 'FORM_MISMATCH', 'PAYMENT_TOKEN_USED'],
    UPSTREAM_UNAVAILABLE: ['PAYMENT_GATEWAY_DOWN'],
  },
  banks: { BAD_USER_INPUT: ['UNKNOWN_MODE'], UPSTREAM_UNAVAILABLE: ['PAYMENT_GATEWAY_DOWN'] },
  decryptPayload: { BAD_USER_INPUT: ['INVALID_PAYLOAD'], NOT_FOUND: ['DECRYPT_DISABLED'] },
  createCampaign: { BAD_USER_INPUT: ['TARGET_GROUP_NOT_VALID'] },
  updateCampaign: { BAD_USER_INPUT: ['TARGET_GROUP_NOT_VALID'], NOT_FOUND: ['CAMPAIGN_NOT_FOUND'] },
  deleteCampaign: { NOT_FOUND: ['CAMPAIGN_NOT_FOUND'] },
  createAdvertisingTicket: { NOT_FOUND: ['MEDIA_NOT_FOUND'] },
  updateAdvertisingTicket: { NOT_FOUND: ['ADVERTISING_TICKET_NOT_FOUND', 'MEDIA_NOT_FOUND'] },
  deleteAdvertisingTicket: { NOT_FOUND: ['ADVERTISING_TICKET_NOT_FOUND'] },
  assignToRailMenu: { NOT_FOUND: ['ADVERTISING_TICKET_NOT_FOUND', 'RAIL_MENU_NOT_FOUND'] },
  unassignFromRailMenu: { NOT_FOUND: ['ADVERTISING_TICKET_NOT_FOUND', 'RAIL_MENU_NOT_FOUND', 'ASSIGNMENT_NOT_FOUND'] },
  updateNotification: { NOT_FOUND: ['NOTIFICATION_NOT_FOUND'] },
  storageAudit: { UPSTREAM_UNAVAILABLE: ['STORE_AWAY'] },
  prepareUpload: { PAYLOAD_TOO_LARGE: ['UPLOAD_TOO_LARGE'], FORBIDDEN: ['TENANT_TAKEN'] },
  processMedia: { NOT_FOUND: ['MEDIA_NOT_FOUND'], CONFLICT: ['PROCESSING_RUNS'] },
  deleteMedia: { NOT_FOUND: ['MEDIA_NOT_FOUND'] },
  createChannel: { BAD_GATEWAY: ['ALL_ORIGINS_FAILED'] },
  updateChannel: { NOT_FOUND: ['CHANNEL_NOT_FOUND'], BAD_GATEWAY: ['ALL_ORIGINS_FAILED'] },
  deleteChannel: { NOT_FOUND: ['CHANNEL_NOT_FOUND'] },
  ...Object.fromEntries(changesOfNodes.map((field) => [field, missingNode])),
  deleteStreamer: { ...missingNode, CONFLICT: ['STREAMER_IN_USE'] },
  reconcile: { CONFLICT: ['BUSY'], ...atProvider },
};

/** The root fields whose null REST answers with 404, by the reason that `present` gives (../refusals.ts). */
export const notFoundBy: Readonly<Record<string, readonly string[]>> = {
  ORGANIZATION_NOT_FOUND: ['organization', 'authOrganization'],
  COMPANY_NOT_FOUND: ['companyByCode'],
  ROLE_NOT_FOUND: ['roleOfUser'],
  ORDER_NOT_FOUND: ['order'],
  CUSTOMER_NOT_FOUND: ['customer'],
  CHANNEL_NOT_FOUND: ['channel'],
  MEDIA_NOT_FOUND: ['media'],
  NODE_NOT_FOUND: ['streamer', 'cacheNode', 'loadBalancerNode'],
};

/** What any route may refuse, whatever it is for. */
export const ofAnyRoute = [
  'BAD_REQUEST',
  'NUL_IN_TEXT',
  'FOREIGN_ORIGIN',
  'PASSWORD_CHANGE_REQUIRED',
  'ROUTE_NOT_FOUND',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'CONTENT_ENCODED',
  'TOO_MANY_REQUESTS',
  'DATABASE_BUSY',
  'REVOCATION_UNKNOWN',
  'SUBGRAPH_UNAVAILABLE',
  'SUBGRAPH_TIMEOUT',
  'INTERNAL_SERVER_ERROR',
] as const;
