-- New: folders are counted without reading their items.
CREATE INDEX media_folders_idx ON media.media (workspace_id, tenant, folder) WHERE workspace_id IS NOT NULL;
