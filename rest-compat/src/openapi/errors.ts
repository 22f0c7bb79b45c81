import type { ErrorCode } from '@foyer/shared/errors';

export type Reasons = Partial<Record<ErrorCode, readonly string[]>>;

const ordering: Reasons = {
  BAD_USER_INPUT: ['INVALID_DATE', 'DATE_CLOSED', 'NOT_ON_SALE', 'ITEM_NOT_OFFERED', 'LIMIT', 'AMOUNT_OUT_OF_RANGE'],
  NOT_FOUND: ['TICKET_GROUP_NOT_FOUND'],
  CONFLICT: ['SOLD_OUT', 'PRICE_MISMATCH'],
  UNPROCESSABLE: ['IDEMPOTENCY_KEY_REUSED'],
  RATE_LIMITED: ['TOO_MANY_REQUESTS', 'TOO_MANY_OPEN_ORDERS'],
};
const atProvider: Reasons = { UPSTREAM_UNAVAILABLE: ['IDENTITY_PROVIDER_DOWN'] };
const refusedPeople = ['ACCOUNT_DISABLED', 'ACCOUNT_INVITED', 'ACCOUNT_PENDING', 'ORG_PENDING', 'ORG_DISABLED'];
const changing: Reasons = {
  FORBIDDEN: ['ROLE_ABOVE_OWN', 'OWN_ROLE'],
  NOT_FOUND: ['USER_NOT_FOUND'],
  CONFLICT: ['LAST_OWNER', 'LAST_ADMINISTRATOR'],
};
const leaving = [...(changing.CONFLICT ?? []), 'LAST_PLATFORM_OWNER'];
const redeeming: Reasons = {
  UNAUTHENTICATED: ['MAGIC_LINK_INVALID', 'MAGIC_LINK_EXPIRED'],
  FORBIDDEN: refusedPeople.filter((reason) => reason !== 'ACCOUNT_INVITED'),
  UPSTREAM_UNAVAILABLE: ['LICENSE_EXPIRED'],
};

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
  revokeSession: { NOT_FOUND: ['SESSION_NOT_FOUND'] },
  redeemMagicLink: redeeming,
  changePassword: {
    BAD_USER_INPUT: ['CURRENT_PASSWORD_REQUIRED', 'PASSWORD_TOO_SIMPLE', 'PASSWORD_TOO_LONG', 'PASSWORD_UNCHANGED'],
    UNAUTHENTICATED: ['INVALID_CREDENTIALS'],
    CONFLICT: ['BUSY'],
    RATE_LIMITED: ['RATE_LIMITED'],
    ...atProvider,
  },
  confirmPasswordReset: {
    BAD_USER_INPUT: ['PASSWORD_RESET_INVALID', 'PASSWORD_TOO_SIMPLE', 'PASSWORD_TOO_LONG'],
    CONFLICT: ['BUSY'],
    ...atProvider,
  },
  selfSignup: { BAD_USER_INPUT: ['SIGNUP_CODE_INVALID'], CONFLICT: ['COMPANY_CODE_TAKEN', 'EMAIL_TAKEN'] },
  inviteUser: {
    BAD_USER_INPUT: ['EMAIL_PROFILE_MISSING'],
    CONFLICT: ['USERNAME_TAKEN', 'EMAIL_TAKEN', 'ORGANIZATION_NOT_READY', 'BUSY'],
    RATE_LIMITED: ['RATE_LIMITED'],
    ...atProvider,
  },
  createMember: {
    BAD_USER_INPUT: ['PASSWORD_TOO_SIMPLE', 'PASSWORD_TOO_LONG'],
    NOT_FOUND: ['ORGANIZATION_NOT_FOUND'],
    CONFLICT: ['USERNAME_TAKEN', 'EMAIL_TAKEN', 'ORGANIZATION_NOT_ACTIVE', 'BUSY'],
    ...atProvider,
  },
  reinviteUser: { NOT_FOUND: ['USER_NOT_FOUND'], CONFLICT: ['USER_NOT_INVITED'], RATE_LIMITED: ['RATE_LIMITED'] },
  createOrganization: {
    BAD_USER_INPUT: ['UNKNOWN_APPS', 'PASSWORD_TOO_SIMPLE', 'PASSWORD_TOO_LONG'],
    CONFLICT: ['COMPANY_CODE_TAKEN', 'ORGANIZATION_NAME_TAKEN', 'USERNAME_TAKEN', 'EMAIL_TAKEN', 'BUSY'],
    ...atProvider,
  },
  setOrganizationStatus: { CONFLICT: ['PLATFORM_ORG_PROTECTED'] },
  deleteOrganization: { CONFLICT: ['PLATFORM_ORG_PROTECTED'] },
  setMemberRole: { BAD_USER_INPUT: ['UNKNOWN_ROLE'], ...changing },
  setMemberStatus: { ...changing, CONFLICT: [...leaving, 'OWN_ACCOUNT', 'ACCOUNT_INVITED', 'ACCOUNT_PENDING'] },
  removeMember: { ...changing, CONFLICT: leaving, ...atProvider },
  createRole: { CONFLICT: ['ROLE_NAME_TAKEN'] },
  updateRole: { FORBIDDEN: ['SYSTEM_ROLE'], NOT_FOUND: ['ROLE_NOT_FOUND'], CONFLICT: ['ROLE_NAME_TAKEN'] },
  deleteRole: { FORBIDDEN: ['SYSTEM_ROLE'], NOT_FOUND: ['ROLE_NOT_FOUND'], CONFLICT: ['ROLE_IN_USE'] },
  addTeamMember: { NOT_FOUND: ['TEAM_NOT_FOUND', 'USER_NOT_FOUND'], CONFLICT: ['ALREADY_IN_TEAM', 'DOUBLE_ACCESS'] },
  addWorkspaceMember: {
    NOT_FOUND: ['WORKSPACE_NOT_FOUND', 'USER_NOT_FOUND'],
    CONFLICT: ['ALREADY_MEMBER', 'DOUBLE_ACCESS'],
  },
  setWorkspaceMemberRole: { NOT_FOUND: ['WORKSPACE_NOT_FOUND', 'MEMBER_NOT_FOUND'] },
  removeWorkspaceMember: { NOT_FOUND: ['WORKSPACE_NOT_FOUND', 'MEMBER_NOT_FOUND'] },
  grantTeamWorkspace: { CONFLICT: ['ALREADY_GRANTED', 'DOUBLE_ACCESS'] },
  setWorkspaceApps: { CONFLICT: ['APPS_NOT_GRANTED'] },
  createEmailProfile: { CONFLICT: ['EMAIL_PROFILE_NAME_TAKEN'] },
  registerCustomer: { BAD_USER_INPUT: ['PASSWORD_TOO_SIMPLE'], RATE_LIMITED: ['RATE_LIMITED'] },
  loginCustomer: {
    UNAUTHENTICATED: ['INVALID_CREDENTIALS'],
    FORBIDDEN: ['ACCOUNT_DISABLED'],
    RATE_LIMITED: ['RATE_LIMITED'],
  },
  createOrder: { ...ordering, BAD_USER_INPUT: [...(ordering.BAD_USER_INPUT ?? []), 'USE_FREE_ROUTE'] },
  createFreeOrder: { ...ordering, BAD_USER_INPUT: [...(ordering.BAD_USER_INPUT ?? []), 'NOT_FREE'] },
  startPayment: {
    BAD_USER_INPUT: ['AMOUNT_OUT_OF_RANGE'],
    NOT_FOUND: ['ORDER_NOT_FOUND'],
    CONFLICT: ['ORDER_NOT_PAYABLE', 'FORM_MISMATCH', 'PAYMENT_TOKEN_USED'],
    UPSTREAM_UNAVAILABLE: ['PAYMENT_GATEWAY_DOWN'],
  },
  banks: { BAD_USER_INPUT: ['UNKNOWN_MODE'], UPSTREAM_UNAVAILABLE: ['PAYMENT_GATEWAY_DOWN'] },
  decryptPayload: { BAD_USER_INPUT: ['INVALID_PAYLOAD'], NOT_FOUND: ['DECRYPT_DISABLED'] },
  updateCampaign: { NOT_FOUND: ['CAMPAIGN_NOT_FOUND'] },
  deleteCampaign: { NOT_FOUND: ['CAMPAIGN_NOT_FOUND'] },
  updateAdvertisingTicket: { NOT_FOUND: ['ADVERTISING_TICKET_NOT_FOUND'] },
  deleteAdvertisingTicket: { NOT_FOUND: ['ADVERTISING_TICKET_NOT_FOUND'] },
  assignToRailMenu: { NOT_FOUND: ['ADVERTISING_TICKET_NOT_FOUND', 'RAIL_MENU_NOT_FOUND'] },
  unassignFromRailMenu: { NOT_FOUND: ['ASSIGNMENT_NOT_FOUND'] },
  updateNotification: { NOT_FOUND: ['NOTIFICATION_NOT_FOUND'] },
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
