-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "referrer_project_id" INTEGER,
ADD COLUMN     "referrer_sha" TEXT;

-- A commit refers to something once, whoever writes the note first.
CREATE UNIQUE INDEX "notes_issue_commit_key" ON "notes"("issue_id", "referrer_project_id", "referrer_sha") WHERE "referrer_sha" IS NOT NULL;
CREATE UNIQUE INDEX "notes_merge_request_commit_key" ON "notes"("merge_request_id", "referrer_project_id", "referrer_sha") WHERE "referrer_sha" IS NOT NULL;
