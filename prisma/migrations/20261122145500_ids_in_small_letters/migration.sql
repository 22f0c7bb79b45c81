-- An id has one spelling. Media keeps the ids of other subgraphs as text: those that a legacy client wrote in capitals
-- are written as they are compared.
UPDATE media.media SET organization_id = lower(organization_id)
WHERE organization_id ~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' AND organization_id <> lower(organization_id);
UPDATE media.media SET workspace_id = lower(workspace_id)
WHERE workspace_id ~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' AND workspace_id <> lower(workspace_id);
UPDATE media.media SET created_by = lower(created_by)
WHERE created_by ~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' AND created_by <> lower(created_by);
UPDATE media.tenant SET organization_id = lower(organization_id)
WHERE organization_id ~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' AND organization_id <> lower(organization_id);
UPDATE media.upload_token SET organization_id = lower(organization_id)
WHERE organization_id ~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' AND organization_id <> lower(organization_id);
UPDATE media.upload_token SET workspace_id = lower(workspace_id)
WHERE workspace_id ~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' AND workspace_id <> lower(workspace_id);
UPDATE media.upload_token SET created_by = lower(created_by)
WHERE created_by ~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' AND created_by <> lower(created_by);
UPDATE media.channel SET organization_id = lower(organization_id)
WHERE organization_id ~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' AND organization_id <> lower(organization_id);
UPDATE media.channel SET workspace_id = lower(workspace_id)
WHERE workspace_id ~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' AND workspace_id <> lower(workspace_id);
