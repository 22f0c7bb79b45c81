import type { RootField } from './access-rules.ts';

/**
 * Who may call each root field of the whole graph: the requirement, independently of the SDL, so
 * that neither changes alone. A rule is `AUDIENCE [permission [organization permission that does too]]`.
 */
const table: Readonly<Record<string, string>> = {
  EVERYONE: `
    advertisingTickets availabilityChanged banks companyByCode customer decryptPayload magicLink meIfSignedIn order
    orderStatusChanged passwordRules paymentState permissionCatalog quote railMenus ticketGroup ticketGroups
    acceptPaymentReturn cancelOrder confirmCustomerPasswordReset confirmPasswordReset createFreeOrder createOrder generatePaymentToken login loginCustomer
    logout redeemMagicLink refresh registerCustomer registerGuestCustomer requestCustomerPasswordReset
    requestPasswordReset requestSignupCode resendTickets selfSignup startPayment verifyCustomer`,
  CUSTOMER: 'changeCustomerPassword logoutCustomer updateCustomerProfile',
  SIGNED_IN: 'myOrders organization transcodingProfiles user workspace',
  STAFF: `
    apps changePassword exportOrders logoutEverywhere me members revokeOtherSessions revokeSession roleMembers roles rolesMatrix
    sessionRevoked sessions teamMembers teams workspaceMembers workspaces`,
  INTERNAL: `
    accounts authOrganization createMember emailExists reconcile roleOfUser serviceHealth upsertOrganization upsertUser`,

  'PLATFORM platform:apps:platformconsole:access': 'organizations',
  'PLATFORM org:create': 'createOrganization',
  'PLATFORM org:delete': 'deleteOrganization',
  'PLATFORM org:manage': `
    application editApplication setOrganizationApps setOrganizationStatus
    createCacheNode deleteCacheNode pingCacheNode updateCacheNode
    createLoadBalancerNode deleteLoadBalancerNode pingLoadBalancerNode updateLoadBalancerNode
    createStreamer deleteStreamer pingStreamer updateStreamer
    createTranscodingProfile deleteTranscodingProfile resetMediaQuota setMediaQuota updateTranscodingProfile
    setCustomerDisabled storageAudit`,

  'ORGANIZATION org:security:view': 'auditLog',
  'ORGANIZATION org:email-profiles:view': 'emailProfiles',
  'ORGANIZATION org:email-profiles:manage': 'createEmailProfile deleteEmailProfile mapEmailUsage updateEmailProfile',
  'ORGANIZATION org:users:invite': 'inviteUser reinviteUser',
  'ORGANIZATION org:users:manage': 'setMemberRole setMemberStatus',
  'ORGANIZATION org:users:remove': 'removeMember',
  'ORGANIZATION org:roles:manage': 'createRole deleteRole updateRole',
  'ORGANIZATION org:teams:manage': `
    addTeamMember createTeam deleteTeam grantTeamWorkspace removeTeamMember revokeTeamWorkspace setTeamMemberRole
    setTeamWorkspaceRole updateTeam`,
  'ORGANIZATION org:workspaces:create': 'createWorkspace',
  'ORGANIZATION org:workspaces:delete': 'deleteWorkspace',
  'ORGANIZATION org:workspaces:manage': 'createTargetGroup deleteTargetGroup updateTargetGroup',

  'WORKSPACE workspace:manage org:workspaces:manage': 'updateWorkspace',
  'WORKSPACE workspace:apps:manage org:apps:manage': 'setWorkspaceApps',
  'WORKSPACE workspace:members:manage org:workspaces:manage':
    'addWorkspaceMember removeWorkspaceMember setWorkspaceMemberRole',
  'WORKSPACE device:view':
    'cacheNode cacheNodes loadBalancerNode loadBalancerNodes nodeStatusChanged streamer streamers',
  'WORKSPACE media:view':
    'channel channels media mediaChanged mediaFolders mediaList mediaProgress mediaTenants originStatusChanged',
  'WORKSPACE media:upload': 'prepareUpload',
  'WORKSPACE media:manage':
    'cancelProcessing removeMediaPoster setMediaPoster createChannel deleteChannel processMedia processMediaItems setMediaPriority setMediaVisibility updateChannel updateMedia',
  'WORKSPACE media:delete': 'deleteMedia deleteMediaItems',
  'WORKSPACE payments:manage': 'resolveReview',
  'WORKSPACE orders:manage': 'sendMailAgain',
  'WORKSPACE campaign:view': 'campaigns targetGroups',
  'WORKSPACE campaign:manage': 'createCampaign deleteCampaign updateCampaign',
  'WORKSPACE catalogue:view': 'dailyCapacities managedRailMenus managedTicketGroups',
  'WORKSPACE catalogue:manage': `
    createRailMenu createTicketGroup createTicketVariant deleteRailMenu deleteTicketGroup placeTicketGroupInRailMenu
    removeTicketGroupFromRailMenu setDailyCapacities sortRailMenus sortTicketVariants updateRailMenu
    updateTicketGroup updateTicketVariant`,

  'ROLE advertising:view': 'managedAdvertisingTicketConnection managedAdvertisingTickets',
  'ROLE advertising:manage': `
    assignToRailMenu createAdvertisingTicket deleteAdvertisingTicket unassignFromRailMenu updateAdvertisingTicket`,
  'ROLE notifications:view':
    'markAllNotificationsRead notificationAdded notifications unreadNotificationCount updateNotification',
  'ROLE orders:view': 'orderMails orders',
};

/** The rule of each root field, by its name. */
export const ruleOf: ReadonlyMap<string, string> = new Map(
  Object.entries(table).flatMap(([rule, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, rule] as const),
  ),
);

/** The same rule from the SDL. */
export const ruleInSdl = ({ access }: RootField): string =>
  [access?.to, access?.permission, access?.orInOrganization].filter(Boolean).join(' ');

/** Staff fields about one organization: for its own people, and the platform. */
export const tellOfAnOrganization = new Set(
  'members roleMembers roles rolesMatrix teamMembers teams workspaceMembers workspaces'.split(' '),
);

/** Fields that hide the existence of their records: callers without the permission get "not found". */
export const tellNobodyWhatExists = new Set(
  `channel media cancelProcessing deleteChannel processMedia updateChannel deleteCampaign updateCampaign updateNotification
   assignToRailMenu deleteAdvertisingTicket unassignFromRailMenu updateAdvertisingTicket
   dailyCapacities deleteRailMenu deleteTicketGroup createTicketVariant placeTicketGroupInRailMenu
   removeTicketGroupFromRailMenu setDailyCapacities sortTicketVariants updateRailMenu updateTicketGroup
   updateTicketVariant deleteMedia deleteMediaItems processMediaItems removeMediaPoster setMediaPoster updateMedia setMediaPriority setMediaVisibility deleteTargetGroup mediaProgress originStatusChanged updateTargetGroup`.split(
    /\s+/,
  ),
);

/** Fields that find nothing without an order; the tests of orders show their refusals to staff. */
export const needAnOrder = new Set(['resolveReview', 'sendMailAgain']);

/** Role-based fields without ids: they show each viewer what they may see, which may be nothing. */
export const showEachTheirOwn = new Set(
  `managedAdvertisingTicketConnection managedAdvertisingTickets markAllNotificationsRead notificationAdded notifications
   unreadNotificationCount orderMails orders`.split(/\s+/),
);
