ALTER TABLE media.channel ADD COLUMN source_label TEXT;
