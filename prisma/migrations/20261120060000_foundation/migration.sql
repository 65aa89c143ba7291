-- CreateEnum
CREATE TYPE "UserState" AS ENUM ('ACTIVE', 'BLOCKED');

-- CreateEnum
CREATE TYPE "Tier" AS ENUM ('FREE', 'PREMIUM');

-- CreateEnum
CREATE TYPE "Visibility" AS ENUM ('PRIVATE', 'INTERNAL', 'PUBLIC');

-- CreateEnum
CREATE TYPE "NamespaceKind" AS ENUM ('USER', 'GROUP');

-- CreateEnum
CREATE TYPE "NotificationLevel" AS ENUM ('DISABLED', 'PARTICIPATING', 'WATCH', 'GLOBAL', 'MENTION', 'CUSTOM');

-- CreateEnum
CREATE TYPE "GrantKind" AS ENUM ('AUTHORIZATION_CODE', 'IMPLICIT', 'PASSWORD', 'CLIENT_CREDENTIALS', 'DEVICE_CODE');

-- CreateTable
CREATE TABLE "instance" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "set_up_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "username" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" "UserState" NOT NULL DEFAULT 'ACTIVE',
    "administrator" BOOLEAN NOT NULL DEFAULT false,
    "tier" "Tier" NOT NULL DEFAULT 'FREE',
    "password_hash" TEXT,
    "public_email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "valid_from" TIMESTAMPTZ(6) NOT NULL DEFAULT 'epoch',

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "emails" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "primary_of" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "emails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "namespaces" (
    "id" SERIAL NOT NULL,
    "kind" "NamespaceKind" NOT NULL,
    "parent_id" INTEGER,
    "owner_id" INTEGER,
    "path" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "full_path" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "visibility" "Visibility" NOT NULL DEFAULT 'PRIVATE',
    "ancestry" INTEGER[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "namespaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" SERIAL NOT NULL,
    "namespace_id" INTEGER NOT NULL,
    "creator_id" INTEGER,
    "path" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "full_path" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "visibility" "Visibility" NOT NULL DEFAULT 'PRIVATE',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "routes" (
    "path" TEXT NOT NULL,
    "namespace_id" INTEGER,
    "project_id" INTEGER,

    CONSTRAINT "routes_pkey" PRIMARY KEY ("path")
);

-- CreateTable
CREATE TABLE "group_members" (
    "user_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "access_level" SMALLINT NOT NULL,
    "expires_at" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_members_pkey" PRIMARY KEY ("user_id","group_id")
);

-- CreateTable
CREATE TABLE "project_members" (
    "user_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "access_level" SMALLINT NOT NULL,
    "expires_at" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_members_pkey" PRIMARY KEY ("user_id","project_id")
);

-- CreateTable
CREATE TABLE "global_notification_settings" (
    "user_id" INTEGER NOT NULL,
    "level" "NotificationLevel",
    "events" JSONB NOT NULL DEFAULT '{}',
    "notification_email_id" INTEGER,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "global_notification_settings_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "group_notification_settings" (
    "user_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "level" "NotificationLevel",
    "events" JSONB NOT NULL DEFAULT '{}',
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_notification_settings_pkey" PRIMARY KEY ("user_id","group_id")
);

-- CreateTable
CREATE TABLE "project_notification_settings" (
    "user_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "level" "NotificationLevel",
    "events" JSONB NOT NULL DEFAULT '{}',
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_notification_settings_pkey" PRIMARY KEY ("user_id","project_id")
);

-- CreateTable
CREATE TABLE "error_tracking_settings" (
    "project_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL,
    "api_url" TEXT NOT NULL,
    "project_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "error_tracking_settings_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "personal_access_tokens" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "scopes" TEXT[],
    "expires_at" DATE,
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "personal_access_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "applications" (
    "id" SERIAL NOT NULL,
    "owner_id" INTEGER,
    "name" TEXT NOT NULL,
    "uid" TEXT NOT NULL,
    "secret_digest" BYTEA,
    "confidential" BOOLEAN NOT NULL DEFAULT true,
    "redirect_uris" TEXT[],
    "scopes" TEXT[],
    "grant_types" TEXT[] DEFAULT ARRAY['authorization_code', 'refresh_token']::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "valid_from" TIMESTAMPTZ(6) NOT NULL DEFAULT 'epoch',

    CONSTRAINT "applications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "grants" (
    "id" SERIAL NOT NULL,
    "kind" "GrantKind" NOT NULL,
    "application_id" INTEGER,
    "user_id" INTEGER,
    "authorized_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "id" SERIAL NOT NULL,
    "grant_id" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "id" SERIAL NOT NULL,
    "grant_id" INTEGER NOT NULL,
    "access_token_id" INTEGER,
    "digest" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "rotated_at" TIMESTAMPTZ(6),
    "successor" BYTEA,
    "sealed" BYTEA,

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "authorization_codes" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "application_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "scopes" TEXT[],
    "challenge" TEXT,
    "authorized_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "redeemed_at" TIMESTAMPTZ(6),
    "grant_id" INTEGER,

    CONSTRAINT "authorization_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "device_codes" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "user_code_digest" BYTEA NOT NULL,
    "application_id" INTEGER NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "interval_seconds" INTEGER NOT NULL,
    "polled_at" TIMESTAMPTZ(6),
    "approved" BOOLEAN,
    "user_id" INTEGER,
    "decided_at" TIMESTAMPTZ(6),
    "redeemed_at" TIMESTAMPTZ(6),
    "grant_id" INTEGER,

    CONSTRAINT "device_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "authorizations" (
    "user_id" INTEGER NOT NULL,
    "application_id" INTEGER NOT NULL,
    "valid_from" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "authorizations_pkey" PRIMARY KEY ("user_id","application_id")
);

-- CreateTable
CREATE TABLE "consents" (
    "user_id" INTEGER NOT NULL,
    "application_id" INTEGER NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "scopes" TEXT[],

    CONSTRAINT "consents_pkey" PRIMARY KEY ("user_id","application_id","redirect_uri")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "authenticated_at" TIMESTAMPTZ(6) NOT NULL,
    "valid_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempt_counters" (
    "key" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "attempt_counters_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "known_places" (
    "user_id" INTEGER NOT NULL,
    "place" BYTEA NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "known_places_pkey" PRIMARY KEY ("user_id","place")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "kind" TEXT NOT NULL,
    "application_id" INTEGER,
    "actor_id" INTEGER,
    "user_id" INTEGER,
    "scopes" TEXT[],
    "address" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "detail" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,
    "minute_key" TEXT,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "emails_address_key" ON "emails"("address");

-- CreateIndex
CREATE UNIQUE INDEX "emails_primary_of_key" ON "emails"("primary_of");

-- CreateIndex
CREATE INDEX "emails_user_id_idx" ON "emails"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "namespaces_owner_id_key" ON "namespaces"("owner_id");

-- CreateIndex
CREATE INDEX "namespaces_parent_id_idx" ON "namespaces"("parent_id");

-- CreateIndex
CREATE INDEX "namespaces_ancestry_idx" ON "namespaces" USING GIN ("ancestry");

-- CreateIndex
CREATE INDEX "projects_namespace_id_idx" ON "projects"("namespace_id");

-- CreateIndex
CREATE INDEX "projects_creator_id_idx" ON "projects"("creator_id");

-- CreateIndex
CREATE INDEX "routes_namespace_id_idx" ON "routes"("namespace_id");

-- CreateIndex
CREATE INDEX "routes_project_id_idx" ON "routes"("project_id");

-- CreateIndex
CREATE INDEX "group_members_group_id_idx" ON "group_members"("group_id");

-- CreateIndex
CREATE INDEX "project_members_project_id_idx" ON "project_members"("project_id");

-- CreateIndex
CREATE INDEX "global_notification_settings_notification_email_id_idx" ON "global_notification_settings"("notification_email_id");

-- CreateIndex
CREATE INDEX "group_notification_settings_group_id_idx" ON "group_notification_settings"("group_id");

-- CreateIndex
CREATE INDEX "project_notification_settings_project_id_idx" ON "project_notification_settings"("project_id");

-- CreateIndex
CREATE UNIQUE INDEX "personal_access_tokens_digest_key" ON "personal_access_tokens"("digest");

-- CreateIndex
CREATE INDEX "personal_access_tokens_user_id_idx" ON "personal_access_tokens"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "applications_uid_key" ON "applications"("uid");

-- CreateIndex
CREATE INDEX "applications_owner_id_idx" ON "applications"("owner_id");

-- CreateIndex
CREATE INDEX "grants_application_id_idx" ON "grants"("application_id");

-- CreateIndex
CREATE INDEX "grants_user_id_application_id_idx" ON "grants"("user_id", "application_id");

-- CreateIndex
CREATE INDEX "grants_ended_at_idx" ON "grants"("ended_at");

-- CreateIndex
CREATE INDEX "grants_expires_at_idx" ON "grants"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "access_tokens_digest_key" ON "access_tokens"("digest");

-- CreateIndex
CREATE INDEX "access_tokens_grant_id_idx" ON "access_tokens"("grant_id");

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_tokens_digest_key" ON "refresh_tokens"("digest");

-- CreateIndex
CREATE INDEX "refresh_tokens_grant_id_idx" ON "refresh_tokens"("grant_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_access_token_id_idx" ON "refresh_tokens"("access_token_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_rotated_at_idx" ON "refresh_tokens"("rotated_at");

-- CreateIndex
CREATE UNIQUE INDEX "authorization_codes_digest_key" ON "authorization_codes"("digest");

-- CreateIndex
CREATE INDEX "authorization_codes_application_id_idx" ON "authorization_codes"("application_id");

-- CreateIndex
CREATE INDEX "authorization_codes_user_id_idx" ON "authorization_codes"("user_id");

-- CreateIndex
CREATE INDEX "authorization_codes_grant_id_idx" ON "authorization_codes"("grant_id");

-- CreateIndex
CREATE INDEX "authorization_codes_expires_at_idx" ON "authorization_codes"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "device_codes_digest_key" ON "device_codes"("digest");

-- CreateIndex
CREATE UNIQUE INDEX "device_codes_user_code_digest_key" ON "device_codes"("user_code_digest");

-- CreateIndex
CREATE INDEX "device_codes_application_id_idx" ON "device_codes"("application_id");

-- CreateIndex
CREATE INDEX "device_codes_user_id_idx" ON "device_codes"("user_id");

-- CreateIndex
CREATE INDEX "device_codes_grant_id_idx" ON "device_codes"("grant_id");

-- CreateIndex
CREATE INDEX "device_codes_expires_at_idx" ON "device_codes"("expires_at");

-- CreateIndex
CREATE INDEX "authorizations_application_id_idx" ON "authorizations"("application_id");

-- CreateIndex
CREATE INDEX "consents_application_id_idx" ON "consents"("application_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_digest_key" ON "sessions"("digest");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_created_at_idx" ON "sessions"("created_at");

-- CreateIndex
CREATE INDEX "attempt_counters_started_at_idx" ON "attempt_counters"("started_at");

-- CreateIndex
CREATE INDEX "known_places_last_at_idx" ON "known_places"("last_at");

-- CreateIndex
CREATE UNIQUE INDEX "audit_events_minute_key_key" ON "audit_events"("minute_key");

-- CreateIndex
CREATE INDEX "audit_events_user_id_id_idx" ON "audit_events"("user_id", "id");

-- CreateIndex
CREATE INDEX "audit_events_application_id_id_idx" ON "audit_events"("application_id", "id");

-- CreateIndex
CREATE INDEX "audit_events_at_idx" ON "audit_events"("at");

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_primary_of_fkey" FOREIGN KEY ("primary_of") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "namespaces" ADD CONSTRAINT "namespaces_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "namespaces"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "namespaces" ADD CONSTRAINT "namespaces_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "routes" ADD CONSTRAINT "routes_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "routes" ADD CONSTRAINT "routes_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "global_notification_settings" ADD CONSTRAINT "global_notification_settings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "global_notification_settings" ADD CONSTRAINT "global_notification_settings_notification_email_id_fkey" FOREIGN KEY ("notification_email_id") REFERENCES "emails"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_notification_settings" ADD CONSTRAINT "group_notification_settings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_notification_settings" ADD CONSTRAINT "group_notification_settings_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_notification_settings" ADD CONSTRAINT "project_notification_settings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_notification_settings" ADD CONSTRAINT "project_notification_settings_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "error_tracking_settings" ADD CONSTRAINT "error_tracking_settings_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "personal_access_tokens" ADD CONSTRAINT "personal_access_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grants" ADD CONSTRAINT "grants_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_access_token_id_fkey" FOREIGN KEY ("access_token_id") REFERENCES "access_tokens"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "consents" ADD CONSTRAINT "consents_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "known_places" ADD CONSTRAINT "known_places_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What schema.prisma can't say.
ALTER TABLE "instance" ADD CONSTRAINT "instance_is_one_row" CHECK (id = 1);
ALTER TABLE "emails" ADD CONSTRAINT "emails_primary_of_owner" CHECK (primary_of = user_id);
ALTER TABLE "routes" ADD CONSTRAINT "routes_lead_to_one_place" CHECK (num_nonnulls(namespace_id, project_id) = 1);
ALTER TABLE "routes" ADD CONSTRAINT "routes_are_lower_case" CHECK (path = lower(path));
