import { createHash } from 'node:crypto';

import { day, inWorkspace, middleOf, ofAcme, organizationId, workspaceId, type List } from './list.ts';

const sorts = {
  NEWEST: { value: `''`, by: 'id DESC' },
  OLDEST: { value: `''`, by: 'id' },
  TITLE: { value: 'title_key', by: 'title_key, id' },
  LARGEST: { value: 'file_size', by: 'file_size DESC, id DESC' },
  LONGEST: { value: `coalesce(duration::text, '')`, by: 'duration DESC NULLS LAST, id DESC' },
};

const library = (name: string, given: string, where: string, order: keyof typeof sorts = 'NEWEST'): List => {
  const { value, by } = sorts[order];
  return {
    name: `library, ${name}`,
    as: 'administrator',
    field: 'mediaList',
    arguments: `filter: { ${given} }, sort: ${order}`,
    node: 'id title mediaType fileSize assetUrl thumbnailUrl createdAt',
    middle: middleOf(`'${order}' AS sort, ${value} AS value, id`, `FROM media.media WHERE ${where}`, by),
    counted: true,
  };
};
const here = `workspaceId: "${workspaceId}"`;

const libraries: List[] = [
  ...(['NEWEST', 'OLDEST', 'TITLE', 'LARGEST', 'LONGEST'] as const).flatMap((order) => [
    library(`${order}, of a workspace`, here, inWorkspace, order),
    library(`${order}, of all workspaces`, '', ofAcme, order),
  ]),
  library('a frequent type', `${here}, type: "video"`, `${inWorkspace} AND media_type = 'video'`),
  library('a rare type', `${here}, type: "slides"`, `${inWorkspace} AND media_type = 'slides'`),
  library('a rare type, of all workspaces', 'type: "slides"', `${ofAcme} AND media_type = 'slides'`),
  library('a rare status', `${here}, status: failed`, `${inWorkspace} AND status = 'failed'`),
  library('a rare stage', `${here}, transcodingStage: failed`, `${inWorkspace} AND transcoding_stage = 'failed'`),
  library('a tenant', `${here}, tenant: "tenant1"`, `${inWorkspace} AND tenant = 'tenant1'`),
  library('a folder', `${here}, folder: "folder 3/4"`, `${inWorkspace} AND folder = 'folder 3/4'`),
  library('a folder and below', `${here}, folderTree: "folder 3"`, `${inWorkspace} AND folder LIKE 'folder 3/%'`),
  library('a day', `${here}, createdFrom: "${day}T00:00:00Z", createdBefore: "${day}T12:00:00Z"`, 'false'),
  library('a text in few', `${here}, text: "c4ca4238a0b9"`, 'false'),
  library('a text in all', `${here}, text: "film"`, inWorkspace),
];

const node = (name: string, field: string, table: string): List => ({
  name,
  as: 'administrator',
  field,
  node: 'id name host status',
  middle: middleOf('id', `FROM media.${table}`, 'id'),
  plainCursor: true,
  counted: true,
});

const channels = (of: string, where: string, given: Partial<List> = {}): List => ({
  name: `channels of ${of}`,
  as: 'administrator',
  field: 'channels',
  node: 'id name streamId',
  middle: middleOf('id', `FROM media.channel WHERE ${where}`, 'id'),
  plainCursor: true,
  counted: true,
  ...given,
});
const media = (of: string, where: string, within: string): List => ({
  ...library(`of ${of}`, '', where),
  name: `media of ${of}`,
  arguments: '',
  field: 'media',
  within,
});
const organization = `organization(id: "${organizationId}")`;
const workspace = `workspace(id: "${workspaceId}")`;

const others: List[] = [
  media('an organization, within it', ofAcme, organization),
  media('a workspace, within it', inWorkspace, workspace),
  channels('all workspaces', ofAcme),
  channels('a workspace', inWorkspace, { arguments: here }),
  channels('an organization, within it', ofAcme, { within: organization }),
  channels('a workspace, within it', inWorkspace, { within: workspace }),
  node('streamers', 'streamers', 'streamer'),
  node('cache nodes', 'cacheNodes', 'cache_node'),
  node('load balancers', 'loadBalancerNodes', 'load_balancer_node'),
];

const uploads: List = {
  name: 'uploads of a person',
  as: 'administrator',
  within: `user(id: "${createHash('md5')
    .update('user2')
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}")`,
  field: 'media',
  node: 'id title',
  middle: middleOf(
    `'NEWEST' AS sort, '' AS value, id`,
    `FROM media.media WHERE created_by = md5('user2')::uuid::text`,
    'id DESC',
  ),
};

export const mediaLists: List[] = [...libraries, uploads, ...others];
