-- For how many minutes messages about one thing are collected.
-- AlterTable
ALTER TABLE "global_notification_settings" ADD COLUMN     "digest_minutes" SMALLINT NOT NULL DEFAULT 0;

-- Messages that are sent as one.
-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "digest_id" BIGINT;

-- Those that wait for others about the same thing.
CREATE INDEX "notifications_collected_idx" ON "notifications"("user_id", "subject_kind", "subject_id", "id") WHERE "state" = 'WAITING' AND "digest_id" IS NOT NULL;
