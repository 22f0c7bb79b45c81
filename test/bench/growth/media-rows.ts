import type { Rows } from './rows.ts';

/** As many items as there are to be rows, in three tenants and four hundred folders; a tenth as many channels, a hundredth as many nodes. */
export const mediaRows: Rows[] = [
  {
    table: 'media.media',
    insert: `INSERT INTO media.media (organization_id, workspace_id, created_by, title, title_key, media_type, mime_type, file_size,
        original_name, file_name, tenant, folder, visibility, storage_key, duration, status, transcoding_stage, failure_reason,
        objects_recorded, created_at)
      SELECT pg_temp.organization_of(n), pg_temp.workspace_of(n), pg_temp.id_of('user', 2 * pg_temp.pick(n, 'uploader', 50)),
        'Film ' || md5('title' || n), 'film ' || md5('title' || n), t.type, t.type || '/any', pg_temp.pick(n, 'size', 1000000000),
        md5('original' || n) || '.mp4', md5('file' || n) || '.mp4', 'tenant' || n % 3,
        'folder ' || pg_temp.pick(n, 'folder', 20) || '/' || pg_temp.pick(n, 'subfolder', 20), 'PUBLIC', 'growth/' || n,
        CASE t.type WHEN 'video' THEN pg_temp.pick(n, 'duration', 7200) END, CASE WHEN f.failed THEN 'failed' ELSE 'ready' END::media.media_status,
        CASE WHEN f.failed THEN 'failed' ELSE 'done' END::media.transcoding_stage, CASE WHEN f.failed THEN 'damaged' END,
        true, now() - interval '1 year' + n * interval '30 seconds'
      FROM generate_series($1::bigint + 1, $2::bigint) n,
        LATERAL (SELECT CASE WHEN pg_temp.pick(n, 'type', 1000) = 0 THEN 'slides' WHEN n % 3 = 0 THEN 'video' ELSE 'image' END AS type) t,
        LATERAL (SELECT pg_temp.pick(n, 'failed', 2000) = 0 AS failed) f`,
    afterwards: `INSERT INTO media.usage (organization_id, workspace_id, items, bytes)
      SELECT coalesce(organization_id, ''), coalesce(workspace_id, ''), count(*), sum(file_size) FROM media.media GROUP BY 1, 2
      ON CONFLICT (organization_id, workspace_id) DO UPDATE SET items = EXCLUDED.items, bytes = EXCLUDED.bytes`,
  },
  {
    table: 'media.channel',
    insert: `INSERT INTO media.channel (organization_id, workspace_id, name, source_type, ingest_config, transcode_config, stream_id)
      SELECT pg_temp.organization_of(n), pg_temp.workspace_of(n), 'Channel ' || n, 'pl', '{}', '{}', 'growth' || n
      FROM generate_series($1::bigint / 10 + 1, $2::bigint / 10) n`,
  },
  ...['streamer', 'cache_node', 'load_balancer_node'].map((table) => ({
    table: `media.${table}`,
    insert: `INSERT INTO media.${table} (name, host, http_port, api_port)
      SELECT 'Node ' || n, 'node' || n || '.growth.test', 80, 81
      FROM generate_series($1::bigint / 100 + 1, $2::bigint / 100) n`,
  })),
];
