import type { Thing } from './fixtures/belongings.ts';

/** Kinds that nobody owns: they can only be checked for existence. */
type Shared = 'app' | 'ladder' | 'streamer';

/** The kind that each id argument of each mutation refers to, independently of the SDL: `mutation path`. */
const table: Readonly<
  Record<Thing | Shared | 'offered group' | 'of the platform' | 'of a service' | 'no reference', string>
> = {
  organization: `
    createEmailProfile.organizationId updateEmailProfile.organizationId deleteEmailProfile.organizationId
    mapEmailUsage.organizationId inviteUser.organizationId reinviteUser.organizationId
    addWorkspaceMember.input.organizationId setWorkspaceMemberRole.input.organizationId
    removeWorkspaceMember.input.organizationId setWorkspaceApps.input.organizationId
    createRole.input.organizationId updateRole.input.organizationId deleteRole.input.organizationId
    createTeam.input.organizationId updateTeam.input.organizationId deleteTeam.input.organizationId
    addTeamMember.input.organizationId setTeamMemberRole.input.organizationId removeTeamMember.input.organizationId
    grantTeamWorkspace.input.organizationId setTeamWorkspaceRole.input.organizationId
    revokeTeamWorkspace.input.organizationId setMemberRole.input.organizationId setMemberStatus.input.organizationId
    removeMember.input.organizationId createWorkspace.input.organizationId updateWorkspace.input.organizationId
    deleteWorkspace.input.organizationId createCampaign.organizationId updateCampaign.organizationId
    deleteCampaign.organizationId createTargetGroup.organizationId`,
  workspace: `
    setWorkspaceApps.input.workspaceId addWorkspaceMember.input.workspaceId setWorkspaceMemberRole.input.workspaceId
    removeWorkspaceMember.input.workspaceId grantTeamWorkspace.input.workspaceId setTeamWorkspaceRole.input.workspaceId
    revokeTeamWorkspace.input.workspaceId updateWorkspace.input.workspaceId deleteWorkspace.input.workspaceId
    createChannel.input.workspaceId prepareUpload.input.workspaceId createAdvertisingTicket.workspaceId
    createCampaign.workspaceId updateCampaign.workspaceId deleteCampaign.workspaceId createRailMenu.workspaceId
    sortRailMenus.workspaceId createTicketGroup.workspaceId`,
  user: `
    reinviteUser.userId addWorkspaceMember.input.userId setWorkspaceMemberRole.input.userId
    removeWorkspaceMember.input.userId addTeamMember.input.userId setTeamMemberRole.input.userId
    removeTeamMember.input.userId setMemberRole.input.userId setMemberStatus.input.userId removeMember.input.userId`,
  team: `
    updateTeam.input.teamId deleteTeam.input.teamId addTeamMember.input.teamId setTeamMemberRole.input.teamId
    removeTeamMember.input.teamId grantTeamWorkspace.input.teamId setTeamWorkspaceRole.input.teamId
    revokeTeamWorkspace.input.teamId`,
  'organization role': 'setMemberRole.input.role',
  'workspace role': `
    updateRole.input.roleId deleteRole.input.roleId addWorkspaceMember.input.role setWorkspaceMemberRole.input.role
    grantTeamWorkspace.input.role setTeamWorkspaceRole.input.role`,
  'e-mail profile': 'updateEmailProfile.profileId deleteEmailProfile.profileId mapEmailUsage.profileId',
  session: 'revokeSession.id',
  media: `
    deleteMediaItems.mediaIds processMediaItems.mediaIds setMediaVisibility.id setMediaPriority.id
    cancelProcessing.id deleteMedia.id processMedia.id updateMedia.id
    removeMediaPoster.id setMediaPoster.id setMediaPoster.input.imageId
    createAdvertisingTicket.input.imageMediaId updateAdvertisingTicket.input.imageMediaId
    createTicketGroup.input.imageMediaId updateTicketGroup.input.imageMediaId`,
  channel: 'updateChannel.input.id deleteChannel.id',
  campaign: 'updateCampaign.id deleteCampaign.id',
  'target group': `
    createCampaign.input.targetGroupId updateCampaign.input.targetGroupId updateTargetGroup.id deleteTargetGroup.id`,
  'advertising ticket': `
    updateAdvertisingTicket.advertisingTicketId deleteAdvertisingTicket.advertisingTicketId
    assignToRailMenu.advertisingTicketId unassignFromRailMenu.advertisingTicketId`,
  'rail menu': `
    assignToRailMenu.railMenuId unassignFromRailMenu.railMenuId updateRailMenu.railMenuId deleteRailMenu.railMenuId
    sortRailMenus.railMenuIds placeTicketGroupInRailMenu.railMenuId removeTicketGroupFromRailMenu.railMenuId`,
  'ticket group': `
    setDailyCapacities.ticketGroupId
    exportOrders.filter.ticketGroupId placeTicketGroupInRailMenu.ticketGroupId
    removeTicketGroupFromRailMenu.ticketGroupId updateTicketGroup.ticketGroupId deleteTicketGroup.ticketGroupId
    createTicketVariant.ticketGroupId sortTicketVariants.ticketGroupId`,
  // Customers may learn that a group is not on sale.
  'offered group': 'createOrder.input.ticketGroupId createFreeOrder.input.ticketGroupId',
  'ticket variant': 'updateTicketVariant.ticketVariantId sortTicketVariants.ticketVariantIds',
  item: 'createOrder.input.items.itemId createFreeOrder.input.items.itemId',
  notification: 'updateNotification.notificationId',
  order: 'cancelOrder.orderNo resendTickets.orderNo resolveReview.orderNo',
  mail: 'sendMailAgain.deliveryId',
  bill: 'startPayment.input.billId',
  product: 'startPayment.input.productId',
  transaction: 'startPayment.input.transactionId',
  customer: 'createOrder.input.custId createFreeOrder.input.custId',

  app: 'setWorkspaceApps.input.appIds',
  ladder: 'prepareUpload.input.transcodingProfileId updateMedia.input.transcodingProfileId',
  streamer: 'createChannel.input.origins.streamerId',
  // Staff of the platform see all of them; nobody else gets as far as the id.
  'of the platform': `
    setOrganizationApps.input.organizationId setOrganizationApps.input.appIds createOrganization.input.appIds
    setOrganizationStatus.input.organizationId deleteOrganization.id editApplication.input.organizationId
    updateCacheNode.input.id deleteCacheNode.id pingCacheNode.id updateLoadBalancerNode.input.id
    setMediaQuota.input.organizationId resetMediaQuota.organizationId
    updateTranscodingProfile.input.id deleteTranscodingProfile.id
    setCustomerDisabled.custId deleteLoadBalancerNode.id pingLoadBalancerNode.id updateStreamer.input.id deleteStreamer.id pingStreamer.id`,
  // Services have checked their own callers; over GraphQL nobody is a service.
  'of a service': `
    createMember.input.organizationId upsertUser.input.id upsertUser.input.organizationId upsertOrganization.input.id`,
  // Numbers of people, a place in a team, a name that is given, a number that is itself the right to pay, the
  // payment of an order that was looked at, and nodes, which are everybody's: which of them are not there is told beside the
  // channel.
  'no reference': `
    updateCustomerProfile.input.contactNo updateCustomerProfile.input.identificationNo
    registerCustomer.input.contactNo registerCustomer.input.identificationNo registerGuestCustomer.input.contactNo
    addTeamMember.input.role setTeamMemberRole.input.role createTicketVariant.itemId startPayment.input.orderNo
    resolveReview.gatewayTransactionId updateChannel.input.origins.streamerId`,
};

export type BelongsTo = keyof typeof table;

/** The kind that an argument refers to, by `mutation.path`. */
export const belongsTo: ReadonlyMap<string, BelongsTo> = new Map(
  Object.entries(table).flatMap(([thing, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, thing as BelongsTo] as const),
  ),
);

/** Kinds that belong to one workspace: members of the same organization may have no rights there. */
export const ofAWorkspace: ReadonlySet<BelongsTo> = new Set<BelongsTo>([
  'workspace',
  'media',
  'channel',
  'campaign',
  'advertising ticket',
  'rail menu',
  'ticket group',
  'ticket variant',
  'notification',
  'order',
  'mail',
]);
