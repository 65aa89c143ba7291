-- How many messages a person got about a place within a day. One that consists of several counts once.
CREATE INDEX "notifications_sent_idx" ON "notifications"("user_id", "project_id", "sent_at") WHERE "state" = 'SENT' AND ("digest_id" IS NULL OR "digest_id" = "id");
