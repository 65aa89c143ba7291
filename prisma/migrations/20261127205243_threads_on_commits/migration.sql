-- Each comment so far is a thread of its own, and each that the version before adds meanwhile: 20 random bytes.
ALTER TABLE "commit_comments" ADD COLUMN "discussion_id" BYTEA NOT NULL DEFAULT substr(sha256(uuid_send(gen_random_uuid())), 1, 20),
ADD COLUMN "is_in_thread" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "position" JSONB,
ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- A comment on a line takes replies.
UPDATE "commit_comments" SET "updated_at" = "created_at", "is_in_thread" = "path" IS NOT NULL;

-- CreateIndex
CREATE INDEX "commit_comments_discussion_id_idx" ON "commit_comments"("discussion_id");
