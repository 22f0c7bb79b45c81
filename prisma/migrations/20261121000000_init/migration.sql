-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "auth";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "media";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "tenancy";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "ticketing";

-- CreateEnum
CREATE TYPE "auth"."organization_status" AS ENUM ('pending', 'active', 'disabled');

-- CreateEnum
CREATE TYPE "auth"."hosting_type" AS ENUM ('cloud', 'on_prem');

-- CreateEnum
CREATE TYPE "auth"."account_state" AS ENUM ('active', 'disabled', 'pending', 'invited');

-- CreateEnum
CREATE TYPE "auth"."client_platform" AS ENUM ('web', 'mobile');

-- CreateEnum
CREATE TYPE "auth"."audit_outcome" AS ENUM ('done', 'refused');

-- CreateEnum
CREATE TYPE "tenancy"."role_scope" AS ENUM ('platform', 'organization', 'workspace');

-- CreateEnum
CREATE TYPE "tenancy"."email_usage" AS ENUM ('user_invite', 'password_reset');

-- CreateEnum
CREATE TYPE "media"."media_status" AS ENUM ('processing', 'ready', 'failed');

-- CreateEnum
CREATE TYPE "media"."transcoding_stage" AS ENUM ('queued', 'probe', 'transcode', 'package', 'done', 'failed');

-- CreateEnum
CREATE TYPE "media"."processing_step" AS ENUM ('move', 'normalize', 'probe', 'thumbnail', 'transcode');

-- CreateEnum
CREATE TYPE "media"."upload_state" AS ENUM ('receiving', 'finished', 'completed', 'rejected');

-- CreateEnum
CREATE TYPE "media"."channel_source_type" AS ENUM ('udp', 'pl');

-- CreateEnum
CREATE TYPE "media"."channel_origin_status" AS ENUM ('pending', 'active', 'failed');

-- CreateEnum
CREATE TYPE "media"."node_status" AS ENUM ('unknown', 'online', 'offline');

-- CreateEnum
CREATE TYPE "ticketing"."transaction_status" AS ENUM ('INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'FREE');

-- CreateEnum
CREATE TYPE "ticketing"."order_log_type" AS ENUM ('order', 'payment', 'email', 'admin');

-- CreateEnum
CREATE TYPE "ticketing"."review_reason" AS ENUM ('AMOUNT_MISMATCH', 'DOUBLE_PAYMENT', 'REFUND_DUE');

-- CreateEnum
CREATE TYPE "ticketing"."campaign_status" AS ENUM ('draft', 'active', 'paused', 'completed');

-- CreateEnum
CREATE TYPE "ticketing"."advertisement_type" AS ENUM ('brandImage', 'coupon', 'editorial', 'typographic');

-- CreateEnum
CREATE TYPE "ticketing"."delivery_state" AS ENUM ('QUEUED', 'SENT', 'DEAD');

-- CreateEnum
CREATE TYPE "ticketing"."delivery_kind" AS ENUM ('confirmation', 'refundDue', 'resend');

-- CreateTable
CREATE TABLE "auth"."organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "idp_org_id" TEXT,
    "company_code" TEXT NOT NULL,
    "hosting_type" "auth"."hosting_type" NOT NULL DEFAULT 'cloud',
    "status" "auth"."organization_status" NOT NULL DEFAULT 'pending',
    "on_prem_url" TEXT,
    "on_prem_address" TEXT,
    "applicant_username" TEXT,
    "applicant_email" TEXT,
    "applicant_given_name" TEXT,
    "applicant_family_name" TEXT,
    "applicant_phone" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."users" (
    "id" UUID NOT NULL,
    "idp_user_id" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "account_state" "auth"."account_state" NOT NULL DEFAULT 'active',
    "password_change_required" BOOLEAN NOT NULL DEFAULT false,
    "username" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."refresh_sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "prev_hash" BYTEA,
    "rotated_at" TIMESTAMPTZ(3),
    "idp_session_id" TEXT,
    "platform" "auth"."client_platform" NOT NULL DEFAULT 'web',
    "device" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refresh_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."magic_links" (
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "magic_links_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "auth"."password_resets" (
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "auth"."licenses" (
    "organization_id" UUID NOT NULL,
    "company_code" TEXT NOT NULL,
    "license_key" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "licenses_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "auth"."user_blocks" (
    "user_id" UUID NOT NULL,
    "not_before" TIMESTAMPTZ(0) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_blocks_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "auth"."outbox" (
    "id" BIGSERIAL NOT NULL,
    "topic" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."rate_limits" (
    "bucket" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "window_started_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("bucket")
);

-- CreateTable
CREATE TABLE "auth"."audit_log" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_id" TEXT,
    "organization_id" UUID,
    "action" TEXT NOT NULL,
    "target_kind" TEXT,
    "target_id" TEXT,
    "outcome" "auth"."audit_outcome" NOT NULL DEFAULT 'done',
    "reason" TEXT,
    "address" TEXT,
    "request_id" TEXT,
    "details" JSONB,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenancy"."organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" "auth"."organization_status" NOT NULL DEFAULT 'active',
    "tier_id" TEXT,
    "legal_name" TEXT,
    "website" TEXT,
    "timezone" TEXT NOT NULL DEFAULT 'Asia/Kuala_Lumpur',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenancy"."users" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "first_name" TEXT NOT NULL DEFAULT '',
    "last_name" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenancy"."organization_members" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "role_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_members_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "tenancy"."platform_members" (
    "user_id" UUID NOT NULL,
    "role_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "platform_members_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "tenancy"."workspaces" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenancy"."workspace_members" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_members_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "tenancy"."teams" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenancy"."team_members" (
    "team_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "team_members_pkey" PRIMARY KEY ("team_id","user_id")
);

-- CreateTable
CREATE TABLE "tenancy"."team_workspace_roles" (
    "team_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "role_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "team_workspace_roles_pkey" PRIMARY KEY ("team_id","workspace_id")
);

-- CreateTable
CREATE TABLE "tenancy"."roles" (
    "id" TEXT NOT NULL,
    "organization_id" UUID,
    "scope" "tenancy"."role_scope" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "is_system" BOOLEAN NOT NULL DEFAULT false,
    "rank" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "roles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenancy"."role_permissions" (
    "role_id" TEXT NOT NULL,
    "permission" TEXT NOT NULL,

    CONSTRAINT "role_permissions_pkey" PRIMARY KEY ("role_id","permission")
);

-- CreateTable
CREATE TABLE "tenancy"."apps" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "apps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenancy"."org_app_access" (
    "organization_id" UUID NOT NULL,
    "app_id" TEXT NOT NULL,
    "granted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "org_app_access_pkey" PRIMARY KEY ("organization_id","app_id")
);

-- CreateTable
CREATE TABLE "tenancy"."workspace_apps" (
    "workspace_id" UUID NOT NULL,
    "app_id" TEXT NOT NULL,
    "granted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_apps_pkey" PRIMARY KEY ("workspace_id","app_id")
);

-- CreateTable
CREATE TABLE "tenancy"."email_verification_codes" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "email_verification_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenancy"."email_profiles" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "from_name" TEXT NOT NULL,
    "from_address" TEXT NOT NULL,
    "reply_to" TEXT,
    "smtp_host" TEXT,
    "smtp_port" INTEGER,
    "smtp_tls" BOOLEAN NOT NULL DEFAULT true,
    "smtp_username" TEXT,
    "smtp_password" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_profiles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenancy"."email_usage_mappings" (
    "organization_id" UUID NOT NULL,
    "usage" "tenancy"."email_usage" NOT NULL,
    "profile_id" UUID NOT NULL,

    CONSTRAINT "email_usage_mappings_pkey" PRIMARY KEY ("organization_id","usage")
);

-- CreateTable
CREATE TABLE "tenancy"."seed_fingerprints" (
    "seed" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "applied_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "seed_fingerprints_pkey" PRIMARY KEY ("seed")
);

-- CreateTable
CREATE TABLE "media"."media" (
    "id" SERIAL NOT NULL,
    "upload_id" TEXT,
    "organization_id" TEXT,
    "workspace_id" TEXT,
    "created_by" TEXT,
    "title" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "file_size" BIGINT NOT NULL,
    "original_name" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "tenant" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "thumbnail_key" TEXT,
    "normalized_key" TEXT,
    "manifest_key" TEXT,
    "smil_key" TEXT,
    "etag" TEXT,
    "duration" DOUBLE PRECISION,
    "width" INTEGER,
    "height" INTEGER,
    "video_codec" TEXT,
    "video_profile" TEXT,
    "pixel_format" TEXT,
    "audio_codec" TEXT,
    "normalization_type" TEXT,
    "transcoding_profile_id" INTEGER,
    "own_folder" BOOLEAN NOT NULL DEFAULT false,
    "status" "media"."media_status" NOT NULL DEFAULT 'processing',
    "transcoding_stage" "media"."transcoding_stage" NOT NULL DEFAULT 'queued',
    "progress" INTEGER NOT NULL DEFAULT 0,
    "failure_reason" TEXT,
    "run" INTEGER NOT NULL DEFAULT 1,
    "attempt_id" TEXT,
    "attempt_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "media_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media"."processing_checkpoint" (
    "media_id" INTEGER NOT NULL,
    "run" INTEGER NOT NULL,
    "step" "media"."processing_step" NOT NULL,
    "facts" JSONB NOT NULL DEFAULT '{}',
    "finished_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "processing_checkpoint_pkey" PRIMARY KEY ("media_id","run","step")
);

-- CreateTable
CREATE TABLE "media"."upload_token" (
    "id" SERIAL NOT NULL,
    "token_hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "upload_id" TEXT,
    "used_at" TIMESTAMPTZ(3),
    "organization_id" TEXT,
    "workspace_id" TEXT,
    "created_by" TEXT,
    "title" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "file_size" BIGINT NOT NULL,
    "original_name" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "tenant" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "transcoding_profile_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "upload_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media"."upload" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "state" "media"."upload_state" NOT NULL DEFAULT 'receiving',
    "token_hash" TEXT NOT NULL,
    "size" BIGINT,
    "reason" TEXT,
    "info" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "upload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media"."transcoding_profile" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "category" TEXT NOT NULL DEFAULT 'video',
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "transcoding_profile_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media"."rendition" (
    "profile_id" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "video_bitrate_kbps" INTEGER NOT NULL,
    "audio_bitrate_kbps" INTEGER NOT NULL,

    CONSTRAINT "rendition_pkey" PRIMARY KEY ("profile_id","height")
);

-- CreateTable
CREATE TABLE "media"."channel" (
    "id" SERIAL NOT NULL,
    "sid" SERIAL NOT NULL,
    "organization_id" TEXT,
    "workspace_id" TEXT,
    "name" TEXT NOT NULL,
    "quality" TEXT,
    "source_type" "media"."channel_source_type" NOT NULL,
    "ingest_config" JSONB NOT NULL,
    "transcode_config" JSONB NOT NULL,
    "stream_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media"."channel_origin" (
    "id" SERIAL NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "streamer_id" INTEGER NOT NULL,
    "ingest_url" TEXT,
    "stream_id" TEXT NOT NULL,
    "playback_url" TEXT NOT NULL,
    "status" "media"."channel_origin_status" NOT NULL DEFAULT 'pending',
    "failure" TEXT,
    "checked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channel_origin_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media"."streamer" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "http_port" INTEGER NOT NULL,
    "api_port" INTEGER NOT NULL,
    "status" "media"."node_status" NOT NULL DEFAULT 'unknown',
    "last_pinged_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "streamer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media"."cache_node" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "http_port" INTEGER NOT NULL,
    "api_port" INTEGER NOT NULL,
    "status" "media"."node_status" NOT NULL DEFAULT 'unknown',
    "last_pinged_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cache_node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media"."load_balancer_node" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "http_port" INTEGER NOT NULL,
    "api_port" INTEGER NOT NULL,
    "status" "media"."node_status" NOT NULL DEFAULT 'unknown',
    "last_pinged_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "load_balancer_node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticketing"."ticket_group" (
    "ticket_group_id" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "group_name_bm" TEXT NOT NULL,
    "group_name_en" TEXT NOT NULL,
    "group_name_cn" TEXT NOT NULL,
    "group_desc_bm" TEXT NOT NULL DEFAULT '',
    "group_desc_en" TEXT NOT NULL DEFAULT '',
    "group_desc_cn" TEXT NOT NULL DEFAULT '',
    "image_url" TEXT NOT NULL DEFAULT '',
    "image_media_id" INTEGER,
    "location" TEXT NOT NULL DEFAULT '',
    "organiser_name" TEXT NOT NULL DEFAULT '',
    "organiser_contact" TEXT NOT NULL DEFAULT '',
    "price_prefix_bm" TEXT NOT NULL DEFAULT '',
    "price_prefix_en" TEXT NOT NULL DEFAULT '',
    "price_prefix_cn" TEXT NOT NULL DEFAULT '',
    "price_suffix_bm" TEXT NOT NULL DEFAULT '',
    "price_suffix_en" TEXT NOT NULL DEFAULT '',
    "price_suffix_cn" TEXT NOT NULL DEFAULT '',
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "placement" INTEGER NOT NULL DEFAULT 0,
    "order_ticket_limit" INTEGER NOT NULL DEFAULT 20,
    "active_start_date" DATE,
    "active_end_date" DATE,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "daily_capacity" INTEGER NOT NULL,
    "closed_weekdays" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "sales_cutoff" TEXT,
    "max_advance_days" INTEGER NOT NULL DEFAULT 90,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ticket_group_pkey" PRIMARY KEY ("ticket_group_id")
);

-- CreateTable
CREATE TABLE "ticketing"."ticket_variant" (
    "ticket_variant_id" BIGSERIAL NOT NULL,
    "ticket_group_id" BIGINT NOT NULL,
    "item_id" TEXT NOT NULL,
    "variant" TEXT NOT NULL,
    "name_bm" TEXT NOT NULL,
    "name_en" TEXT NOT NULL,
    "name_cn" TEXT NOT NULL,
    "desc_bm" TEXT NOT NULL DEFAULT '',
    "desc_en" TEXT NOT NULL DEFAULT '',
    "desc_cn" TEXT NOT NULL DEFAULT '',
    "unit_price_sen" BIGINT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "sort" INTEGER NOT NULL DEFAULT 0,
    "daily_capacity" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ticket_variant_pkey" PRIMARY KEY ("ticket_variant_id")
);

-- CreateTable
CREATE TABLE "ticketing"."daily_capacity" (
    "ticket_group_id" BIGINT NOT NULL,
    "admit_date" DATE NOT NULL,
    "capacity" INTEGER NOT NULL,
    "reserved" INTEGER NOT NULL DEFAULT 0,
    "closed" BOOLEAN NOT NULL DEFAULT false,
    "overridden" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "daily_capacity_pkey" PRIMARY KEY ("ticket_group_id","admit_date")
);

-- CreateTable
CREATE TABLE "ticketing"."variant_daily_capacity" (
    "ticket_variant_id" BIGINT NOT NULL,
    "admit_date" DATE NOT NULL,
    "capacity" INTEGER NOT NULL,
    "reserved" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "variant_daily_capacity_pkey" PRIMARY KEY ("ticket_variant_id","admit_date")
);

-- CreateTable
CREATE TABLE "ticketing"."rail_menu" (
    "rail_menu_id" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name_bm" TEXT NOT NULL,
    "name_en" TEXT NOT NULL,
    "name_cn" TEXT NOT NULL,
    "placement" INTEGER NOT NULL DEFAULT 0,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rail_menu_pkey" PRIMARY KEY ("rail_menu_id")
);

-- CreateTable
CREATE TABLE "ticketing"."rail_menu_ticket_group" (
    "rail_menu_id" BIGINT NOT NULL,
    "ticket_group_id" BIGINT NOT NULL,
    "placement" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "rail_menu_ticket_group_pkey" PRIMARY KEY ("rail_menu_id","ticket_group_id")
);

-- CreateTable
CREATE TABLE "ticketing"."rail_menu_advertising_ticket" (
    "rail_menu_id" BIGINT NOT NULL,
    "advertising_ticket_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rail_menu_advertising_ticket_pkey" PRIMARY KEY ("rail_menu_id","advertising_ticket_id")
);

-- CreateTable
CREATE TABLE "ticketing"."advertising_ticket" (
    "advertising_ticket_id" BIGSERIAL NOT NULL,
    "organization_id" UUID,
    "workspace_id" UUID,
    "advertisement_type" "ticketing"."advertisement_type" NOT NULL,
    "advertiser" TEXT NOT NULL DEFAULT '',
    "color" TEXT NOT NULL DEFAULT '#000000',
    "placement" INTEGER NOT NULL DEFAULT 0,
    "title_bm" TEXT NOT NULL DEFAULT '',
    "title_en" TEXT NOT NULL DEFAULT '',
    "title_cn" TEXT NOT NULL DEFAULT '',
    "header_bm" TEXT NOT NULL DEFAULT '',
    "header_en" TEXT NOT NULL DEFAULT '',
    "header_cn" TEXT NOT NULL DEFAULT '',
    "desc_bm" TEXT NOT NULL DEFAULT '',
    "desc_en" TEXT NOT NULL DEFAULT '',
    "desc_cn" TEXT NOT NULL DEFAULT '',
    "action_button" TEXT NOT NULL DEFAULT '',
    "redirect_url" TEXT NOT NULL DEFAULT '',
    "image_url" TEXT NOT NULL DEFAULT '',
    "image_media_id" INTEGER,
    "active_start_date" DATE,
    "active_end_date" DATE,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "advertising_ticket_pkey" PRIMARY KEY ("advertising_ticket_id")
);

-- CreateTable
CREATE TABLE "ticketing"."target_group" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "target_group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticketing"."campaign" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID,
    "name" TEXT NOT NULL,
    "target_group_id" UUID NOT NULL,
    "status" "ticketing"."campaign_status" NOT NULL DEFAULT 'draft',
    "start_date" TIMESTAMPTZ(3) NOT NULL,
    "end_date" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaign_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticketing"."customer" (
    "cust_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "full_name" TEXT NOT NULL,
    "contact_no" TEXT NOT NULL DEFAULT '',
    "identification_no" TEXT NOT NULL DEFAULT '',
    "has_login" BOOLEAN NOT NULL DEFAULT false,
    "idp_user_id" TEXT,
    "is_disabled" BOOLEAN NOT NULL DEFAULT false,
    "organization_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("cust_id")
);

-- CreateTable
CREATE TABLE "ticketing"."order_ticket_group" (
    "order_ticket_group_id" BIGSERIAL NOT NULL,
    "ticket_group_id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "cust_id" UUID NOT NULL,
    "lang_chosen" TEXT NOT NULL,
    "transaction_id" UUID NOT NULL,
    "order_no" TEXT NOT NULL,
    "bill_id" TEXT NOT NULL,
    "product_id" TEXT NOT NULL,
    "product_desc" TEXT NOT NULL DEFAULT '',
    "transaction_status" "ticketing"."transaction_status" NOT NULL DEFAULT 'INITIATED',
    "bank_current_status" TEXT NOT NULL DEFAULT '',
    "currency" TEXT NOT NULL DEFAULT 'MYR',
    "total_amount_sen" BIGINT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "msg_token" TEXT NOT NULL DEFAULT '01',
    "buyer_name" TEXT NOT NULL,
    "buyer_email" TEXT NOT NULL,
    "admit_date" DATE NOT NULL,
    "is_email_sent" BOOLEAN NOT NULL DEFAULT false,
    "bank_code" TEXT NOT NULL DEFAULT '',
    "bank_name" TEXT NOT NULL DEFAULT '',
    "gateway_transaction_id" TEXT,
    "hold_expires_at" TIMESTAMPTZ(3),
    "expiry_extended_minutes" INTEGER NOT NULL DEFAULT 0,
    "paid_at" TIMESTAMPTZ(3),
    "review_reason" "ticketing"."review_reason",
    "review_resolved_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "idempotency_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "order_ticket_group_pkey" PRIMARY KEY ("order_ticket_group_id")
);

-- CreateTable
CREATE TABLE "ticketing"."order_ticket_info" (
    "order_ticket_info_id" BIGSERIAL NOT NULL,
    "order_ticket_group_id" BIGINT NOT NULL,
    "ticket_variant_id" BIGINT NOT NULL,
    "item_id" TEXT NOT NULL,
    "unit_price_sen" BIGINT NOT NULL,
    "item_desc1" TEXT NOT NULL,
    "item_desc2" TEXT NOT NULL,
    "item_desc3" TEXT NOT NULL,
    "variant" TEXT NOT NULL,
    "quantity_bought" INTEGER NOT NULL,
    "admit_date" DATE NOT NULL,
    "encrypted_id" TEXT,

    CONSTRAINT "order_ticket_info_pkey" PRIMARY KEY ("order_ticket_info_id")
);

-- CreateTable
CREATE TABLE "ticketing"."order_ticket_log" (
    "order_ticket_log_id" BIGSERIAL NOT NULL,
    "order_ticket_group_id" BIGINT NOT NULL,
    "performed_by" TEXT NOT NULL,
    "type" "ticketing"."order_log_type" NOT NULL,
    "title" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "date" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_ticket_log_pkey" PRIMARY KEY ("order_ticket_log_id")
);

-- CreateTable
CREATE TABLE "ticketing"."payment_token" (
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_token_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "ticketing"."payment_attempt" (
    "payment_attempt_id" BIGSERIAL NOT NULL,
    "order_ticket_group_id" BIGINT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "msg_token" TEXT NOT NULL,
    "bank_code" TEXT NOT NULL DEFAULT '',
    "amount_sen" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_attempt_pkey" PRIMARY KEY ("payment_attempt_id")
);

-- CreateTable
CREATE TABLE "ticketing"."payment_event" (
    "payment_event_id" BIGSERIAL NOT NULL,
    "jti" UUID NOT NULL,
    "order_ticket_group_id" BIGINT,
    "source" TEXT NOT NULL,
    "order_no" TEXT NOT NULL,
    "gateway_transaction_id" TEXT NOT NULL,
    "status_code" TEXT NOT NULL,
    "amount_sen" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "claims" JSONB NOT NULL,
    "outcome" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_event_pkey" PRIMARY KEY ("payment_event_id")
);

-- CreateTable
CREATE TABLE "ticketing"."ticket" (
    "ticket_id" BIGSERIAL NOT NULL,
    "order_ticket_group_id" BIGINT NOT NULL,
    "order_ticket_info_id" BIGINT NOT NULL,
    "ticket_group_id" BIGINT NOT NULL,
    "serial" INTEGER NOT NULL,
    "admit_date" DATE NOT NULL,
    "code" TEXT NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ticket_pkey" PRIMARY KEY ("ticket_id")
);

-- CreateTable
CREATE TABLE "ticketing"."delivery" (
    "delivery_id" BIGSERIAL NOT NULL,
    "order_ticket_group_id" BIGINT NOT NULL,
    "kind" "ticketing"."delivery_kind" NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "recipient" TEXT NOT NULL,
    "state" "ticketing"."delivery_state" NOT NULL DEFAULT 'QUEUED',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT NOT NULL DEFAULT '',
    "message_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateTable
CREATE TABLE "ticketing"."notification" (
    "notification_id" BIGSERIAL NOT NULL,
    "organization_id" UUID,
    "workspace_id" UUID,
    "performed_by" TEXT NOT NULL,
    "authority_level" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "is_read" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("notification_id")
);

-- CreateTable
CREATE TABLE "ticketing"."idempotency_key" (
    "cust_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "order_ticket_group_id" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("cust_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "organizations_idp_org_id_key" ON "auth"."organizations"("idp_org_id");

-- CreateIndex
CREATE UNIQUE INDEX "organizations_company_code_key" ON "auth"."organizations"("company_code");

-- CreateIndex
CREATE UNIQUE INDEX "users_idp_user_id_key" ON "auth"."users"("idp_user_id");

-- CreateIndex
CREATE INDEX "users_org_id_idx" ON "auth"."users"("org_id");

-- CreateIndex
CREATE INDEX "users_email_idx" ON "auth"."users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_sessions_token_hash_key" ON "auth"."refresh_sessions"("token_hash");

-- CreateIndex
CREATE INDEX "refresh_sessions_user_id_idx" ON "auth"."refresh_sessions"("user_id");

-- CreateIndex
CREATE INDEX "refresh_sessions_expires_at_idx" ON "auth"."refresh_sessions"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "magic_links_token_hash_key" ON "auth"."magic_links"("token_hash");

-- CreateIndex
CREATE INDEX "magic_links_expires_at_idx" ON "auth"."magic_links"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "password_resets_token_hash_key" ON "auth"."password_resets"("token_hash");

-- CreateIndex
CREATE INDEX "password_resets_expires_at_idx" ON "auth"."password_resets"("expires_at");

-- CreateIndex
CREATE INDEX "user_blocks_expires_at_idx" ON "auth"."user_blocks"("expires_at");

-- CreateIndex
CREATE INDEX "outbox_user_id_id_idx" ON "auth"."outbox"("user_id", "id");

-- CreateIndex
CREATE INDEX "outbox_created_at_idx" ON "auth"."outbox"("created_at");

-- CreateIndex
CREATE INDEX "rate_limits_expires_at_idx" ON "auth"."rate_limits"("expires_at");

-- CreateIndex
CREATE INDEX "audit_log_organization_id_id_idx" ON "auth"."audit_log"("organization_id", "id");

-- CreateIndex
CREATE INDEX "audit_log_actor_id_id_idx" ON "auth"."audit_log"("actor_id", "id");

-- CreateIndex
CREATE INDEX "users_organization_id_idx" ON "tenancy"."users"("organization_id");

-- CreateIndex
CREATE INDEX "organization_members_user_id_idx" ON "tenancy"."organization_members"("user_id");

-- CreateIndex
CREATE INDEX "organization_members_role_id_idx" ON "tenancy"."organization_members"("role_id");

-- CreateIndex
CREATE INDEX "workspaces_organization_id_idx" ON "tenancy"."workspaces"("organization_id");

-- CreateIndex
CREATE INDEX "workspace_members_user_id_idx" ON "tenancy"."workspace_members"("user_id");

-- CreateIndex
CREATE INDEX "teams_organization_id_idx" ON "tenancy"."teams"("organization_id");

-- CreateIndex
CREATE INDEX "team_members_user_id_idx" ON "tenancy"."team_members"("user_id");

-- CreateIndex
CREATE INDEX "team_workspace_roles_workspace_id_idx" ON "tenancy"."team_workspace_roles"("workspace_id");

-- CreateIndex
CREATE INDEX "team_workspace_roles_role_id_idx" ON "tenancy"."team_workspace_roles"("role_id");

-- CreateIndex
CREATE UNIQUE INDEX "roles_organization_id_scope_name_key" ON "tenancy"."roles"("organization_id", "scope", "name");

-- CreateIndex
CREATE INDEX "email_verification_codes_email_created_at_idx" ON "tenancy"."email_verification_codes"("email", "created_at");

-- CreateIndex
CREATE INDEX "email_verification_codes_expires_at_idx" ON "tenancy"."email_verification_codes"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "email_profiles_organization_id_name_key" ON "tenancy"."email_profiles"("organization_id", "name");

-- CreateIndex
CREATE INDEX "email_usage_mappings_profile_id_idx" ON "tenancy"."email_usage_mappings"("profile_id");

-- CreateIndex
CREATE UNIQUE INDEX "media_upload_id_key" ON "media"."media"("upload_id");

-- CreateIndex
CREATE UNIQUE INDEX "media_storage_key_key" ON "media"."media"("storage_key");

-- CreateIndex
CREATE INDEX "media_workspace_id_id_idx" ON "media"."media"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "media_organization_id_id_idx" ON "media"."media"("organization_id", "id");

-- CreateIndex
CREATE INDEX "media_tenant_folder_id_idx" ON "media"."media"("tenant", "folder", "id");

-- CreateIndex
CREATE INDEX "media_transcoding_stage_attempt_seen_at_idx" ON "media"."media"("transcoding_stage", "attempt_seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "upload_token_token_hash_key" ON "media"."upload_token"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "upload_token_upload_id_key" ON "media"."upload_token"("upload_id");

-- CreateIndex
CREATE INDEX "upload_token_expires_at_idx" ON "media"."upload_token"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "upload_key_key" ON "media"."upload"("key");

-- CreateIndex
CREATE INDEX "upload_state_created_at_idx" ON "media"."upload"("state", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "transcoding_profile_name_key" ON "media"."transcoding_profile"("name");

-- CreateIndex
CREATE UNIQUE INDEX "channel_sid_key" ON "media"."channel"("sid");

-- CreateIndex
CREATE INDEX "channel_workspace_id_id_idx" ON "media"."channel"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "channel_organization_id_id_idx" ON "media"."channel"("organization_id", "id");

-- CreateIndex
CREATE INDEX "channel_stream_id_idx" ON "media"."channel"("stream_id");

-- CreateIndex
CREATE INDEX "channel_origin_streamer_id_idx" ON "media"."channel_origin"("streamer_id");

-- CreateIndex
CREATE UNIQUE INDEX "channel_origin_channel_id_streamer_id_key" ON "media"."channel_origin"("channel_id", "streamer_id");

-- CreateIndex
CREATE INDEX "ticket_group_is_active_placement_ticket_group_id_idx" ON "ticketing"."ticket_group"("is_active", "placement", "ticket_group_id");

-- CreateIndex
CREATE INDEX "ticket_group_workspace_id_idx" ON "ticketing"."ticket_group"("workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "ticket_group_organization_id_slug_key" ON "ticketing"."ticket_group"("organization_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "ticket_variant_item_id_key" ON "ticketing"."ticket_variant"("item_id");

-- CreateIndex
CREATE INDEX "ticket_variant_ticket_group_id_sort_idx" ON "ticketing"."ticket_variant"("ticket_group_id", "sort");

-- CreateIndex
CREATE INDEX "rail_menu_workspace_id_idx" ON "ticketing"."rail_menu"("workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "rail_menu_organization_id_code_key" ON "ticketing"."rail_menu"("organization_id", "code");

-- CreateIndex
CREATE INDEX "rail_menu_ticket_group_ticket_group_id_idx" ON "ticketing"."rail_menu_ticket_group"("ticket_group_id");

-- CreateIndex
CREATE INDEX "rail_menu_advertising_ticket_advertising_ticket_id_idx" ON "ticketing"."rail_menu_advertising_ticket"("advertising_ticket_id");

-- CreateIndex
CREATE INDEX "advertising_ticket_workspace_id_idx" ON "ticketing"."advertising_ticket"("workspace_id");

-- CreateIndex
CREATE INDEX "advertising_ticket_is_active_placement_advertising_ticket_i_idx" ON "ticketing"."advertising_ticket"("is_active", "placement", "advertising_ticket_id");

-- CreateIndex
CREATE UNIQUE INDEX "target_group_organization_id_name_key" ON "ticketing"."target_group"("organization_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "target_group_id_organization_id_key" ON "ticketing"."target_group"("id", "organization_id");

-- CreateIndex
CREATE INDEX "campaign_organization_id_workspace_id_created_at_idx" ON "ticketing"."campaign"("organization_id", "workspace_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "customer_idp_user_id_key" ON "ticketing"."customer"("idp_user_id");

-- CreateIndex
CREATE INDEX "customer_email_idx" ON "ticketing"."customer"("email");

-- CreateIndex
CREATE UNIQUE INDEX "order_ticket_group_transaction_id_key" ON "ticketing"."order_ticket_group"("transaction_id");

-- CreateIndex
CREATE UNIQUE INDEX "order_ticket_group_order_no_key" ON "ticketing"."order_ticket_group"("order_no");

-- CreateIndex
CREATE UNIQUE INDEX "order_ticket_group_bill_id_key" ON "ticketing"."order_ticket_group"("bill_id");

-- CreateIndex
CREATE INDEX "order_ticket_group_cust_id_created_at_order_ticket_group_id_idx" ON "ticketing"."order_ticket_group"("cust_id", "created_at" DESC, "order_ticket_group_id" DESC);

-- CreateIndex
CREATE INDEX "order_ticket_group_organization_id_workspace_id_created_at__idx" ON "ticketing"."order_ticket_group"("organization_id", "workspace_id", "created_at" DESC, "order_ticket_group_id" DESC);

-- CreateIndex
CREATE INDEX "order_ticket_group_ticket_group_id_admit_date_idx" ON "ticketing"."order_ticket_group"("ticket_group_id", "admit_date");

-- CreateIndex
CREATE UNIQUE INDEX "order_ticket_info_encrypted_id_key" ON "ticketing"."order_ticket_info"("encrypted_id");

-- CreateIndex
CREATE INDEX "order_ticket_info_order_ticket_group_id_idx" ON "ticketing"."order_ticket_info"("order_ticket_group_id");

-- CreateIndex
CREATE INDEX "order_ticket_info_ticket_variant_id_idx" ON "ticketing"."order_ticket_info"("ticket_variant_id");

-- CreateIndex
CREATE INDEX "order_ticket_log_order_ticket_group_id_idx" ON "ticketing"."order_ticket_log"("order_ticket_group_id");

-- CreateIndex
CREATE INDEX "payment_token_expires_at_idx" ON "ticketing"."payment_token"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "payment_attempt_token_hash_key" ON "ticketing"."payment_attempt"("token_hash");

-- CreateIndex
CREATE INDEX "payment_attempt_order_ticket_group_id_idx" ON "ticketing"."payment_attempt"("order_ticket_group_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_event_jti_key" ON "ticketing"."payment_event"("jti");

-- CreateIndex
CREATE INDEX "payment_event_order_ticket_group_id_idx" ON "ticketing"."payment_event"("order_ticket_group_id");

-- CreateIndex
CREATE UNIQUE INDEX "ticket_code_key" ON "ticketing"."ticket"("code");

-- CreateIndex
CREATE INDEX "ticket_order_ticket_group_id_idx" ON "ticketing"."ticket"("order_ticket_group_id");

-- CreateIndex
CREATE INDEX "ticket_ticket_group_id_admit_date_idx" ON "ticketing"."ticket"("ticket_group_id", "admit_date");

-- CreateIndex
CREATE UNIQUE INDEX "ticket_order_ticket_info_id_serial_key" ON "ticketing"."ticket"("order_ticket_info_id", "serial");

-- CreateIndex
CREATE INDEX "delivery_state_created_at_idx" ON "ticketing"."delivery"("state", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_order_ticket_group_id_kind_sequence_key" ON "ticketing"."delivery"("order_ticket_group_id", "kind", "sequence");

-- CreateIndex
CREATE INDEX "idempotency_key_expires_at_idx" ON "ticketing"."idempotency_key"("expires_at");

-- AddForeignKey
ALTER TABLE "auth"."users" ADD CONSTRAINT "users_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "auth"."organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."refresh_sessions" ADD CONSTRAINT "refresh_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."magic_links" ADD CONSTRAINT "magic_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."password_resets" ADD CONSTRAINT "password_resets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."licenses" ADD CONSTRAINT "licenses_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "auth"."organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."organization_members" ADD CONSTRAINT "organization_members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "tenancy"."organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."organization_members" ADD CONSTRAINT "organization_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "tenancy"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."platform_members" ADD CONSTRAINT "platform_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "tenancy"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."workspaces" ADD CONSTRAINT "workspaces_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "tenancy"."organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."workspace_members" ADD CONSTRAINT "workspace_members_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "tenancy"."workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."workspace_members" ADD CONSTRAINT "workspace_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "tenancy"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."teams" ADD CONSTRAINT "teams_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "tenancy"."organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."team_members" ADD CONSTRAINT "team_members_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "tenancy"."teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."team_members" ADD CONSTRAINT "team_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "tenancy"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."team_workspace_roles" ADD CONSTRAINT "team_workspace_roles_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "tenancy"."teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."team_workspace_roles" ADD CONSTRAINT "team_workspace_roles_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "tenancy"."workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."roles" ADD CONSTRAINT "roles_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "tenancy"."organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."role_permissions" ADD CONSTRAINT "role_permissions_role_id_fkey" FOREIGN KEY ("role_id") REFERENCES "tenancy"."roles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."org_app_access" ADD CONSTRAINT "org_app_access_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "tenancy"."organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."org_app_access" ADD CONSTRAINT "org_app_access_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "tenancy"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."workspace_apps" ADD CONSTRAINT "workspace_apps_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "tenancy"."workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."workspace_apps" ADD CONSTRAINT "workspace_apps_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "tenancy"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."email_profiles" ADD CONSTRAINT "email_profiles_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "tenancy"."organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenancy"."email_usage_mappings" ADD CONSTRAINT "email_usage_mappings_profile_id_fkey" FOREIGN KEY ("profile_id") REFERENCES "tenancy"."email_profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media"."media" ADD CONSTRAINT "media_transcoding_profile_id_fkey" FOREIGN KEY ("transcoding_profile_id") REFERENCES "media"."transcoding_profile"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media"."processing_checkpoint" ADD CONSTRAINT "processing_checkpoint_media_id_fkey" FOREIGN KEY ("media_id") REFERENCES "media"."media"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media"."rendition" ADD CONSTRAINT "rendition_profile_id_fkey" FOREIGN KEY ("profile_id") REFERENCES "media"."transcoding_profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media"."channel_origin" ADD CONSTRAINT "channel_origin_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "media"."channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media"."channel_origin" ADD CONSTRAINT "channel_origin_streamer_id_fkey" FOREIGN KEY ("streamer_id") REFERENCES "media"."streamer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."ticket_variant" ADD CONSTRAINT "ticket_variant_ticket_group_id_fkey" FOREIGN KEY ("ticket_group_id") REFERENCES "ticketing"."ticket_group"("ticket_group_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."daily_capacity" ADD CONSTRAINT "daily_capacity_ticket_group_id_fkey" FOREIGN KEY ("ticket_group_id") REFERENCES "ticketing"."ticket_group"("ticket_group_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."variant_daily_capacity" ADD CONSTRAINT "variant_daily_capacity_ticket_variant_id_fkey" FOREIGN KEY ("ticket_variant_id") REFERENCES "ticketing"."ticket_variant"("ticket_variant_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."rail_menu_ticket_group" ADD CONSTRAINT "rail_menu_ticket_group_rail_menu_id_fkey" FOREIGN KEY ("rail_menu_id") REFERENCES "ticketing"."rail_menu"("rail_menu_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."rail_menu_ticket_group" ADD CONSTRAINT "rail_menu_ticket_group_ticket_group_id_fkey" FOREIGN KEY ("ticket_group_id") REFERENCES "ticketing"."ticket_group"("ticket_group_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."rail_menu_advertising_ticket" ADD CONSTRAINT "rail_menu_advertising_ticket_rail_menu_id_fkey" FOREIGN KEY ("rail_menu_id") REFERENCES "ticketing"."rail_menu"("rail_menu_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."rail_menu_advertising_ticket" ADD CONSTRAINT "rail_menu_advertising_ticket_advertising_ticket_id_fkey" FOREIGN KEY ("advertising_ticket_id") REFERENCES "ticketing"."advertising_ticket"("advertising_ticket_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."campaign" ADD CONSTRAINT "campaign_target_group_id_organization_id_fkey" FOREIGN KEY ("target_group_id", "organization_id") REFERENCES "ticketing"."target_group"("id", "organization_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."order_ticket_group" ADD CONSTRAINT "order_ticket_group_ticket_group_id_fkey" FOREIGN KEY ("ticket_group_id") REFERENCES "ticketing"."ticket_group"("ticket_group_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."order_ticket_group" ADD CONSTRAINT "order_ticket_group_cust_id_fkey" FOREIGN KEY ("cust_id") REFERENCES "ticketing"."customer"("cust_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."order_ticket_info" ADD CONSTRAINT "order_ticket_info_order_ticket_group_id_fkey" FOREIGN KEY ("order_ticket_group_id") REFERENCES "ticketing"."order_ticket_group"("order_ticket_group_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."order_ticket_info" ADD CONSTRAINT "order_ticket_info_ticket_variant_id_fkey" FOREIGN KEY ("ticket_variant_id") REFERENCES "ticketing"."ticket_variant"("ticket_variant_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."order_ticket_log" ADD CONSTRAINT "order_ticket_log_order_ticket_group_id_fkey" FOREIGN KEY ("order_ticket_group_id") REFERENCES "ticketing"."order_ticket_group"("order_ticket_group_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."payment_attempt" ADD CONSTRAINT "payment_attempt_order_ticket_group_id_fkey" FOREIGN KEY ("order_ticket_group_id") REFERENCES "ticketing"."order_ticket_group"("order_ticket_group_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."payment_event" ADD CONSTRAINT "payment_event_order_ticket_group_id_fkey" FOREIGN KEY ("order_ticket_group_id") REFERENCES "ticketing"."order_ticket_group"("order_ticket_group_id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."ticket" ADD CONSTRAINT "ticket_order_ticket_group_id_fkey" FOREIGN KEY ("order_ticket_group_id") REFERENCES "ticketing"."order_ticket_group"("order_ticket_group_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."ticket" ADD CONSTRAINT "ticket_order_ticket_info_id_fkey" FOREIGN KEY ("order_ticket_info_id") REFERENCES "ticketing"."order_ticket_info"("order_ticket_info_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."delivery" ADD CONSTRAINT "delivery_order_ticket_group_id_fkey" FOREIGN KEY ("order_ticket_group_id") REFERENCES "ticketing"."order_ticket_group"("order_ticket_group_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."idempotency_key" ADD CONSTRAINT "idempotency_key_cust_id_fkey" FOREIGN KEY ("cust_id") REFERENCES "ticketing"."customer"("cust_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the Prisma schema can't say about identity's tables.

ALTER TABLE auth.organizations
  ADD CONSTRAINT organizations_company_code_in_capitals CHECK (company_code = upper(company_code) AND company_code <> '');

ALTER TABLE tenancy.organization_members
  ADD CONSTRAINT organization_members_one_role CHECK (role = role_id);

ALTER TABLE tenancy.roles
  ADD CONSTRAINT roles_custom_has_organization CHECK (is_system = (organization_id IS NULL));

ALTER TABLE tenancy.email_verification_codes
  ADD CONSTRAINT email_verification_codes_five_attempts CHECK (attempts BETWEEN 0 AND 5);

ALTER TABLE tenancy.email_profiles
  ADD CONSTRAINT email_profiles_server_whole CHECK ((smtp_host IS NULL) = (smtp_port IS NULL));

-- The audit log only grows.
CREATE OR REPLACE FUNCTION auth.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only';
END
$$;

CREATE TRIGGER audit_log_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON auth.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION auth.refuse_audit_change();

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

-- What the models of ticketing can't say.

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

-- Nothing is sold twice, and nothing is given back twice.
ALTER TABLE ticketing.daily_capacity
  ADD CONSTRAINT daily_capacity_reserved_within CHECK (0 <= reserved AND reserved <= capacity);
ALTER TABLE ticketing.variant_daily_capacity
  ADD CONSTRAINT variant_daily_capacity_reserved_within CHECK (0 <= reserved AND reserved <= capacity);

ALTER TABLE ticketing.ticket_group
  ADD CONSTRAINT ticket_group_limits CHECK (
    order_ticket_limit BETWEEN 1 AND 255 AND daily_capacity >= 0 AND max_advance_days >= 0
    AND closed_weekdays <@ ARRAY[1, 2, 3, 4, 5, 6, 7]
    AND sales_cutoff ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
    AND active_start_date <= active_end_date
  );
ALTER TABLE ticketing.ticket_variant
  ADD CONSTRAINT ticket_variant_price CHECK (unit_price_sen >= 0 AND daily_capacity >= 0);

ALTER TABLE ticketing.customer
  ADD CONSTRAINT customer_email_lower CHECK (email = lower(email)),
  ADD CONSTRAINT customer_login_has_user CHECK (has_login = (idp_user_id IS NOT NULL));
CREATE UNIQUE INDEX customer_login_email_key ON ticketing.customer (email) WHERE has_login;

ALTER TABLE ticketing.order_ticket_group
  ADD CONSTRAINT order_ticket_group_values CHECK (
    quantity > 0 AND total_amount_sen >= 0 AND currency = 'MYR'
    AND msg_token IN ('01', '02') AND lang_chosen IN ('bm', 'en', 'cn')
  ),
  ADD CONSTRAINT order_ticket_group_free CHECK (transaction_status <> 'FREE' OR total_amount_sen = 0),
  ADD CONSTRAINT order_ticket_group_paid CHECK (
    transaction_status <> 'SUCCESS' OR (paid_at IS NOT NULL AND gateway_transaction_id IS NOT NULL)
  );
ALTER TABLE ticketing.order_ticket_info
  ADD CONSTRAINT order_ticket_info_values CHECK (quantity_bought > 0 AND unit_price_sen >= 0);
ALTER TABLE ticketing.payment_event
  ADD CONSTRAINT payment_event_values CHECK (
    source IN ('return', 'requery')
    AND outcome IN ('SUCCEEDED', 'FAILED', 'WAITING', 'UNCHANGED', 'REVIEW')
  );
ALTER TABLE ticketing.payment_token
  ADD CONSTRAINT payment_token_hash_is_sha256 CHECK (length(token_hash) = 32);

ALTER TABLE ticketing.campaign
  ADD CONSTRAINT campaign_dates CHECK (start_date <= end_date);
ALTER TABLE ticketing.advertising_ticket
  ADD CONSTRAINT advertising_ticket_values CHECK (
    color ~ '^#[0-9A-Fa-f]{6}$' AND active_start_date <= active_end_date
  );
ALTER TABLE ticketing.notification
  ADD CONSTRAINT notification_values CHECK (
    authority_level IN ('ADMIN', 'SYSADMIN', 'MEMBER', 'CUSTOMER', 'system')
    AND type IN ('Customer', 'Password reset', 'Admin Account Profile', 'Admin Management', 'Order', 'Report')
    AND date ~ '^[0-9]{2}-[0-9]{2}-[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}$'
  );

-- What the expiry job looks for each minute.
CREATE INDEX order_ticket_group_expiring_idx ON ticketing.order_ticket_group (hold_expires_at)
  WHERE transaction_status IN ('INITIATED', 'PENDING') AND review_reason IS NULL;
CREATE INDEX order_ticket_group_review_idx ON ticketing.order_ticket_group (organization_id, updated_at DESC)
  WHERE review_reason IS NOT NULL AND review_resolved_at IS NULL;
-- Free text search of the management list (ILIKE '%…%'). Partial, so that the drift test, which knows
-- no operator classes, leaves them alone.
CREATE INDEX order_ticket_group_order_no_trgm_idx ON ticketing.order_ticket_group
  USING gin (order_no public.gin_trgm_ops) WHERE order_no IS NOT NULL;
CREATE INDEX order_ticket_group_buyer_name_trgm_idx ON ticketing.order_ticket_group
  USING gin (buyer_name public.gin_trgm_ops) WHERE buyer_name IS NOT NULL;
CREATE INDEX order_ticket_group_buyer_email_trgm_idx ON ticketing.order_ticket_group
  USING gin (buyer_email public.gin_trgm_ops) WHERE buyer_email IS NOT NULL;
CREATE INDEX notification_listed_idx ON ticketing.notification (organization_id, created_at DESC, notification_id DESC)
  WHERE NOT is_deleted;
CREATE INDEX notification_unread_idx ON ticketing.notification (organization_id)
  WHERE NOT is_read AND NOT is_deleted;
CREATE INDEX delivery_queued_idx ON ticketing.delivery (created_at) WHERE state = 'QUEUED';

-- Places orders of one ticket group and one admission day, in the order of the array, each as a whole or
-- not at all. The row of the day is locked once for all of them; a lock held for one statement is what
-- makes a hot day fast (design: reservation).
--
-- result: OK | SOLD_OUT | CLOSED | DUPLICATE (its idempotency key was used; the id is of the order made then).
CREATE OR REPLACE FUNCTION ticketing.place_orders(orders jsonb[])
RETURNS TABLE (order_no text, result text, order_ticket_group_id bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  the_group bigint := (orders[1]->>'ticketGroupId')::bigint;
  the_day date := (orders[1]->>'admitDate')::date;
  room int;
  is_closed boolean;
  variant_room jsonb;            -- item id → what is left, for variants with a capacity of their own
  known_keys jsonb;              -- customer/key → order id, from earlier calls
  keys_taken jsonb := '{}';      -- customer/key → order number, within this call
  accepted jsonb[] := '{}';
  refused jsonb[] := '{}';
  taken int := 0;
  an_order jsonb;
  the_key text;
  fits boolean;
BEGIN
  INSERT INTO ticketing.daily_capacity (ticket_group_id, admit_date, capacity)
    SELECT ticket_group_id, the_day, daily_capacity FROM ticketing.ticket_group WHERE ticket_group_id = the_group
    ON CONFLICT DO NOTHING;
  SELECT capacity - reserved, closed INTO STRICT room, is_closed
    FROM ticketing.daily_capacity WHERE ticket_group_id = the_group AND admit_date = the_day FOR UPDATE;

  -- A variant that got a capacity only now has sold without one: count what it sold.
  INSERT INTO ticketing.variant_daily_capacity (ticket_variant_id, admit_date, capacity, reserved)
    SELECT v.ticket_variant_id, the_day, greatest(v.daily_capacity, sold.bought), sold.bought
    FROM ticketing.ticket_variant v
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(i.quantity_bought), 0)::int AS bought
      FROM ticketing.order_ticket_info i JOIN ticketing.order_ticket_group o USING (order_ticket_group_id)
      WHERE i.ticket_variant_id = v.ticket_variant_id AND i.admit_date = the_day AND o.transaction_status <> 'FAILED'
    ) sold
    WHERE v.ticket_group_id = the_group AND v.daily_capacity IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM ticketing.variant_daily_capacity c
        WHERE c.ticket_variant_id = v.ticket_variant_id AND c.admit_date = the_day
      );
  SELECT coalesce(jsonb_object_agg(v.item_id, c.capacity - c.reserved), '{}') INTO variant_room
    FROM ticketing.ticket_variant v
    JOIN ticketing.variant_daily_capacity c ON c.ticket_variant_id = v.ticket_variant_id AND c.admit_date = the_day
    WHERE v.ticket_group_id = the_group;

  DELETE FROM ticketing.idempotency_key k USING unnest(orders) o
    WHERE k.cust_id = (o->>'custId')::uuid AND k.key = o->>'idempotencyKey' AND k.expires_at <= (o->>'placedAt')::timestamptz;
  SELECT coalesce(jsonb_object_agg(k.cust_id || '/' || k.key, k.order_ticket_group_id), '{}') INTO known_keys
    FROM ticketing.idempotency_key k
    JOIN unnest(orders) o ON k.cust_id = (o->>'custId')::uuid AND k.key = o->>'idempotencyKey';

  FOREACH an_order IN ARRAY orders LOOP
    the_key := (an_order->>'custId') || '/' || (an_order->>'idempotencyKey');
    IF known_keys ? the_key OR keys_taken ? the_key THEN
      refused := refused || (an_order || '{"result": "DUPLICATE"}');
      CONTINUE;
    END IF;
    IF is_closed THEN
      refused := refused || (an_order || '{"result": "CLOSED"}');
      CONTINUE;
    END IF;
    fits := (an_order->>'quantity')::int <= room;
    IF fits AND variant_room <> '{}' THEN
      SELECT bool_and(coalesce((variant_room->>item)::int, wanted) >= wanted) INTO fits FROM (
        SELECT i->>'itemId' AS item, sum((i->>'quantityBought')::int) AS wanted
        FROM jsonb_array_elements(an_order->'items') i GROUP BY 1
      ) lines;
      IF fits THEN
        SELECT variant_room || coalesce(jsonb_object_agg(item, (variant_room->>item)::int - wanted), '{}') INTO variant_room FROM (
          SELECT i->>'itemId' AS item, sum((i->>'quantityBought')::int) AS wanted
          FROM jsonb_array_elements(an_order->'items') i WHERE variant_room ? (i->>'itemId') GROUP BY 1
        ) lines;
      END IF;
    END IF;
    IF fits THEN
      room := room - (an_order->>'quantity')::int;
      taken := taken + (an_order->>'quantity')::int;
      accepted := accepted || an_order;
      IF the_key IS NOT NULL THEN
        keys_taken := keys_taken || jsonb_build_object(the_key, an_order->>'orderNo');
      END IF;
    ELSE
      refused := refused || (an_order || '{"result": "SOLD_OUT"}');
    END IF;
  END LOOP;

  IF taken > 0 THEN
    UPDATE ticketing.daily_capacity SET reserved = reserved + taken
      WHERE ticket_group_id = the_group AND admit_date = the_day;
    UPDATE ticketing.variant_daily_capacity c SET reserved = c.reserved + lines.wanted
      FROM (
        SELECT (i->>'ticketVariantId')::bigint AS variant_id, sum((i->>'quantityBought')::int) AS wanted
        FROM unnest(accepted) o, jsonb_array_elements(o->'items') i GROUP BY 1
      ) lines
      WHERE c.ticket_variant_id = lines.variant_id AND c.admit_date = the_day;
  END IF;

  RETURN QUERY
    WITH placed AS (
      INSERT INTO ticketing.order_ticket_group (
        ticket_group_id, organization_id, workspace_id, cust_id, lang_chosen, transaction_id, order_no, bill_id,
        product_id, product_desc, total_amount_sen, quantity, msg_token, buyer_name, buyer_email, admit_date,
        hold_expires_at, idempotency_key, created_at, updated_at
      )
      SELECT the_group, (o->>'organizationId')::uuid, (o->>'workspaceId')::uuid, (o->>'custId')::uuid, o->>'langChosen',
        (o->>'transactionId')::uuid, o->>'orderNo', o->>'billId', o->>'productId', o->>'productDesc',
        (o->>'totalAmountSen')::bigint, (o->>'quantity')::int, o->>'msgToken', o->>'buyerName', o->>'buyerEmail', the_day,
        (o->>'holdExpiresAt')::timestamptz, o->>'idempotencyKey', (o->>'placedAt')::timestamptz, (o->>'placedAt')::timestamptz
      FROM unnest(accepted) WITH ORDINALITY AS a(o, n) ORDER BY n
      RETURNING order_ticket_group_id, order_no
    ), wanted AS (
      SELECT p.order_ticket_group_id AS id, p.order_no, o
      FROM placed p JOIN unnest(accepted) AS a(o) ON o->>'orderNo' = p.order_no
    ), items AS (
      INSERT INTO ticketing.order_ticket_info (
        order_ticket_group_id, ticket_variant_id, item_id, unit_price_sen, item_desc1, item_desc2, item_desc3,
        variant, quantity_bought, admit_date
      )
      SELECT w.id, (i->>'ticketVariantId')::bigint, i->>'itemId', (i->>'unitPriceSen')::bigint, i->>'itemDesc1',
        i->>'itemDesc2', i->>'itemDesc3', i->>'variant', (i->>'quantityBought')::int, the_day
      FROM wanted w, jsonb_array_elements(w.o->'items') WITH ORDINALITY AS l(i, n) ORDER BY w.id, n
    ), logs AS (
      INSERT INTO ticketing.order_ticket_log (order_ticket_group_id, performed_by, type, title, message, date)
      SELECT w.id, w.o->>'buyerName', 'order', 'Order placed', w.order_no, (w.o->>'placedAt')::timestamptz FROM wanted w
    ), keys AS (
      -- A key that another day's call takes at this moment makes this statement fail; the caller repeats it.
      INSERT INTO ticketing.idempotency_key (cust_id, key, body_hash, order_ticket_group_id, expires_at, created_at)
      SELECT (w.o->>'custId')::uuid, w.o->>'idempotencyKey', w.o->>'bodyHash', w.id,
        (w.o->>'placedAt')::timestamptz + interval '24 hours', (w.o->>'placedAt')::timestamptz
      FROM wanted w WHERE w.o->>'idempotencyKey' IS NOT NULL
    )
    SELECT w.order_no, 'OK', w.id FROM wanted w
    UNION ALL
    SELECT r->>'orderNo', r->>'result', coalesce(
      (known_keys->>((r->>'custId') || '/' || (r->>'idempotencyKey')))::bigint,
      (SELECT w.id FROM wanted w WHERE w.order_no = keys_taken->>((r->>'custId') || '/' || (r->>'idempotencyKey')))
    ) FROM unnest(refused) AS f(r);
END $$;

-- Gives back what an order took. The caller has just moved it out of a status that holds capacity.
CREATE OR REPLACE FUNCTION ticketing.release_capacity(the_order bigint) RETURNS void
LANGUAGE sql AS $$
  UPDATE ticketing.daily_capacity c SET reserved = c.reserved - o.quantity
    FROM ticketing.order_ticket_group o
    WHERE o.order_ticket_group_id = the_order AND c.ticket_group_id = o.ticket_group_id AND c.admit_date = o.admit_date;
  UPDATE ticketing.variant_daily_capacity c SET reserved = c.reserved - lines.bought
    FROM (
      SELECT ticket_variant_id, admit_date, sum(quantity_bought) AS bought FROM ticketing.order_ticket_info
      WHERE order_ticket_group_id = the_order GROUP BY 1, 2
    ) lines
    WHERE c.ticket_variant_id = lines.ticket_variant_id AND c.admit_date = lines.admit_date;
$$;

-- Takes the capacity of an order once more, for a payment that came after it was given back.
-- False: it no longer fits, and nothing was taken.
CREATE OR REPLACE FUNCTION ticketing.retake_capacity(the_order bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  fits boolean;
BEGIN
  UPDATE ticketing.daily_capacity c SET reserved = c.reserved + o.quantity
    FROM ticketing.order_ticket_group o
    WHERE o.order_ticket_group_id = the_order AND c.ticket_group_id = o.ticket_group_id AND c.admit_date = o.admit_date
      AND c.reserved + o.quantity <= c.capacity AND NOT c.closed;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE ticketing.variant_daily_capacity c SET reserved = c.reserved + lines.bought
    FROM (
      SELECT ticket_variant_id, admit_date, sum(quantity_bought) AS bought FROM ticketing.order_ticket_info
      WHERE order_ticket_group_id = the_order GROUP BY 1, 2
    ) lines
    WHERE c.ticket_variant_id = lines.ticket_variant_id AND c.admit_date = lines.admit_date;
  RETURN true;
EXCEPTION WHEN check_violation THEN
  RETURN false; -- a variant is full: the block undoes what it did
END $$;
