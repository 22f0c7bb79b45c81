-- What the Prisma schema can't say about media.
ALTER TABLE media.media
  ADD CONSTRAINT media_file_size_not_negative CHECK (file_size >= 0),
  ADD CONSTRAINT media_progress_is_percent CHECK (progress BETWEEN 0 AND 100),
  ADD CONSTRAINT media_failed_says_why CHECK (
    (status <> 'failed' AND transcoding_stage <> 'failed') OR failure_reason IS NOT NULL),
  ADD CONSTRAINT media_ladder_is_published_whole CHECK ((manifest_key IS NULL) = (smil_key IS NULL));

ALTER TABLE media.upload_token
  ADD CONSTRAINT upload_token_used_is_bound CHECK (used_at IS NULL OR upload_id IS NOT NULL),
  ADD CONSTRAINT upload_token_file_size_not_negative CHECK (file_size >= 0);

ALTER TABLE media.upload
  ADD CONSTRAINT upload_size_not_negative CHECK (size >= 0),
  ADD CONSTRAINT upload_finished_has_time CHECK (state NOT IN ('finished', 'completed') OR finished_at IS NOT NULL),
  ADD CONSTRAINT upload_rejected_says_why CHECK (state <> 'rejected' OR reason IS NOT NULL);

CREATE UNIQUE INDEX transcoding_profile_one_default ON media.transcoding_profile (category) WHERE is_default;

ALTER TABLE media.rendition
  ADD CONSTRAINT rendition_height_positive CHECK (height > 0),
  ADD CONSTRAINT rendition_bitrates_positive CHECK (video_bitrate_kbps > 0 AND audio_bitrate_kbps > 0);

ALTER TABLE media.streamer
  ADD CONSTRAINT streamer_ports CHECK (http_port BETWEEN 1 AND 65535 AND api_port BETWEEN 1 AND 65535);
ALTER TABLE media.cache_node
  ADD CONSTRAINT cache_node_ports CHECK (http_port BETWEEN 1 AND 65535 AND api_port BETWEEN 1 AND 65535);
ALTER TABLE media.load_balancer_node
  ADD CONSTRAINT load_balancer_node_ports CHECK (http_port BETWEEN 1 AND 65535 AND api_port BETWEEN 1 AND 65535);
