import { demo } from '@foyer/shared/demo';
import { readId, type Id } from '@foyer/shared/ids';

const { acme } = demo;

/** Ids of the other demo organizations: fixed, so that seeding again finds them. */
const organization = (number: number) => readId(`0a0c0000-0000-4000-8000-00000000000${number}`);
const workspace = (number: number) => readId(`0a0c0000-0000-4000-8000-0000000001${String(number).padStart(2, '0')}`);

/** The capabilities that an organization may use. */
export const apps = [
  { id: 'bizconsole', name: 'Business console', description: 'Manage the organization, its people and workspaces.' },
  { id: 'platformconsole', name: 'Platform console', description: 'Manage all organizations.' },
  { id: 'ticketing', name: 'Ticketing', description: 'Sell tickets and check them in.' },
  { id: 'advertising', name: 'Advertising', description: 'Campaigns, banners and advertising tickets.' },
  { id: 'media', name: 'Media', description: 'Upload, process and deliver video.' },
  { id: 'live', name: 'Live channels', description: 'Streams, caches and load balancers.' },
] as const;

/** The six demo organizations. */
export const organizations = [
  { id: acme.organizationId, name: 'Acme Attractions', slug: 'acme', companyCode: acme.companyCode },
  { id: organization(2), name: 'Borneo Bird Park', slug: 'borneo-bird-park', companyCode: 'BORNEO' },
  { id: organization(3), name: 'Cameron Highlands Tours', slug: 'cameron-tours', companyCode: 'CAMERON' },
  { id: organization(4), name: 'Desaru Water World', slug: 'desaru-water-world', companyCode: 'DESARU' },
  { id: organization(5), name: 'Eastern Heritage Museum', slug: 'eastern-heritage', companyCode: 'EASTERN' },
  { id: organization(6), name: 'Fraser Hill Observatory', slug: 'fraser-hill', companyCode: 'FRASER' },
];

/** The eight demo workspaces. */
export const workspaces = [
  {
    id: acme.workspaceId,
    organizationId: acme.organizationId,
    name: 'Acme Main',
    description: 'Tickets, screens and channels.',
  },
  {
    id: acme.studioWorkspaceId,
    organizationId: acme.organizationId,
    name: 'Acme Studio',
    description: 'Where films are made.',
  },
  { id: workspace(3), organizationId: organization(2), name: 'Aviary', description: '' },
  { id: workspace(4), organizationId: organization(2), name: 'Education', description: '' },
  { id: workspace(5), organizationId: organization(3), name: 'Tours', description: '' },
  { id: workspace(6), organizationId: organization(4), name: 'Water World', description: '' },
  { id: workspace(7), organizationId: organization(5), name: 'Museum', description: '' },
  { id: workspace(8), organizationId: organization(6), name: 'Observatory', description: '' },
];

/** The demo team: its members may look around in the main workspace. */
export const team = {
  id: acme.teamId,
  organizationId: acme.organizationId,
  name: 'Front of house',
  description: 'Who meets the visitors.',
  grants: [{ workspaceId: acme.workspaceId, roleId: 'VIEWER' }],
};

/** A demo account beside the platform's administrator: one for each role worth trying. */
export interface DemoAccount {
  email: string;
  givenName: string;
  familyName: string;
  organizationRole: string;
  /** Direct access. */
  workspaces: readonly { workspaceId: Id; role: string }[];
  /** Through the demo team. */
  inTeam: boolean;
}

/** All of Acme. */
export const accounts: readonly DemoAccount[] = [
  {
    email: 'orgadmin@acme.test',
    givenName: 'Aisha',
    familyName: 'Rahman',
    organizationRole: 'ORG_ADMIN',
    workspaces: [],
    inTeam: false,
  },
  {
    email: 'member@acme.test',
    givenName: 'Mei Ling',
    familyName: 'Tan',
    organizationRole: 'ORG_MEMBER',
    workspaces: [{ workspaceId: acme.workspaceId, role: 'WORKSPACE_MEMBER' }],
    inTeam: false,
  },
  {
    email: 'viewer@acme.test',
    givenName: 'Vijay',
    familyName: 'Kumar',
    organizationRole: 'ORG_MEMBER',
    workspaces: [],
    inTeam: true,
  },
];
