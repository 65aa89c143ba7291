-- CreateEnum
CREATE TYPE "NotificationState" AS ENUM ('WAITING', 'SENT', 'FAILED', 'DROPPED');

-- AlterTable
ALTER TABLE "emails" ADD COLUMN     "failing_since" TIMESTAMPTZ(3),
ADD COLUMN     "permanent_failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "temporary_failures" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "global_notification_settings" ADD COLUMN     "muted_until" TIMESTAMPTZ(3),
ADD COLUMN     "own_activity" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "quiet_from" SMALLINT,
ADD COLUMN     "quiet_until" SMALLINT;

-- AlterTable
ALTER TABLE "group_notification_settings" ADD COLUMN     "notification_email_id" INTEGER;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "timezone" TEXT;

-- CreateTable
CREATE TABLE "notifications" (
    "id" BIGSERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "cause" TEXT NOT NULL,
    "occurrence" TEXT NOT NULL,
    "actor_id" INTEGER,
    "project_id" INTEGER,
    "group_id" INTEGER,
    "subject_kind" TEXT NOT NULL,
    "subject_id" INTEGER NOT NULL,
    "note_id" INTEGER,
    "ids" JSONB NOT NULL DEFAULT '{}',
    "via" TEXT NOT NULL,
    "reason" TEXT,
    "state" "NotificationState" NOT NULL DEFAULT 'WAITING',
    "outcome" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "address" TEXT,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "kept_mails" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "kind" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "headers" JSONB NOT NULL DEFAULT '{}',
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,

    CONSTRAINT "kept_mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "due_days" (
    "zone" TEXT NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "due_days_pkey" PRIMARY KEY ("zone","day")
);

-- CreateIndex
CREATE INDEX "notifications_user_id_id_idx" ON "notifications"("user_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_occurrence_user_id_key" ON "notifications"("occurrence", "user_id");

-- CreateIndex
CREATE INDEX "group_notification_settings_notification_email_id_idx" ON "group_notification_settings"("notification_email_id");

-- AddForeignKey
ALTER TABLE "group_notification_settings" ADD CONSTRAINT "group_notification_settings_notification_email_id_fkey" FOREIGN KEY ("notification_email_id") REFERENCES "emails"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- For what schema.prisma can't express: the queue of messages, and the people who are told of more than what they take
-- part in. Everyone else isn't looked at.
CREATE INDEX "notifications_due_idx" ON "notifications"("due_at", "id") WHERE "state" = 'WAITING';
CREATE INDEX "project_notification_settings_loud_idx" ON "project_notification_settings"("project_id", "user_id") WHERE "level" IN ('WATCH', 'CUSTOM');
CREATE INDEX "group_notification_settings_loud_idx" ON "group_notification_settings"("group_id", "user_id") WHERE "level" IN ('WATCH', 'CUSTOM');
CREATE INDEX "global_notification_settings_loud_idx" ON "global_notification_settings"("user_id") WHERE "level" IN ('WATCH', 'CUSTOM');
-- For the issues that are due on a day, in the whole instance.
CREATE INDEX "issues_due_idx" ON "issues"("due_date", "id") WHERE "state" = 'OPENED';
CREATE INDEX "users_timezone_idx" ON "users"("timezone") WHERE "timezone" IS NOT NULL;

-- AlterTable
ALTER TABLE "participants" ADD COLUMN     "by_award" BOOLEAN NOT NULL DEFAULT false;
UPDATE "participants" pt SET "by_award" = true FROM "issues" i
 WHERE i."id" = pt."issue_id" AND i."author_id" <> pt."user_id" AND i."assignee_id" IS DISTINCT FROM pt."user_id"
   AND EXISTS (SELECT FROM "awards" a WHERE a."issue_id" = i."id" AND a."user_id" = pt."user_id")
   AND NOT EXISTS (SELECT FROM "notes" n WHERE n."issue_id" = i."id" AND n."author_id" = pt."user_id");
