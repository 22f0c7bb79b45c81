-- Whoever was shown an advertising ticket or a ticket group was shown the file that it names as its image, and it
-- could name anybody's. References to media of another organization go; what legacy clients uploaded for no
-- organization stays.
UPDATE ticketing.advertising_ticket AS t
SET image_media_id = NULL
FROM media.media AS m
WHERE m.id = t.image_media_id AND m.organization_id IS NOT NULL AND lower(m.organization_id) IS DISTINCT FROM t.organization_id::text;

UPDATE ticketing.ticket_group AS g
SET image_media_id = NULL
FROM media.media AS m
WHERE m.id = g.image_media_id AND m.organization_id IS NOT NULL AND lower(m.organization_id) IS DISTINCT FROM g.organization_id::text;
