-- CreateEnum
CREATE TYPE "MergeRequestState" AS ENUM ('OPENED', 'CLOSED', 'LOCKED', 'MERGED');

-- CreateEnum
CREATE TYPE "MergeStatus" AS ENUM ('UNCHECKED', 'CHECKING', 'CAN_BE_MERGED', 'CANNOT_BE_MERGED', 'CANNOT_BE_MERGED_RECHECK');

-- AlterEnum
ALTER TYPE "CounterKind" ADD VALUE 'MERGE_REQUEST';

-- AlterEnum
ALTER TYPE "NoteType" ADD VALUE 'DIFF';

-- AlterEnum
ALTER TYPE "ResourceEventAction" ADD VALUE 'MERGED';

-- AlterEnum
ALTER TYPE "TodoAction" ADD VALUE 'REVIEW_REQUESTED';
ALTER TYPE "TodoAction" ADD VALUE 'UNMERGEABLE';

-- AlterTable
ALTER TABLE "awards" ADD COLUMN     "merge_request_id" INTEGER;

-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "line_code" TEXT,
ADD COLUMN     "merge_request_id" INTEGER,
ADD COLUMN     "original_position" JSONB,
ADD COLUMN     "position" JSONB,
ADD COLUMN     "referrer_merge_request_id" INTEGER;

-- Before the primary key goes: processes of the version before name these columns in ON CONFLICT.
CREATE UNIQUE INDEX "participants_issue_id_user_id_key" ON "participants"("issue_id", "user_id");

-- AlterTable
ALTER TABLE "participants" DROP CONSTRAINT "participants_pkey",
ADD COLUMN     "id" SERIAL NOT NULL,
ADD COLUMN     "merge_request_id" INTEGER,
ALTER COLUMN "issue_id" DROP NOT NULL,
ADD CONSTRAINT "participants_pkey" PRIMARY KEY ("id");

-- AlterTable
ALTER TABLE "repositories" ADD COLUMN     "followed" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "resource_events" ADD COLUMN     "merge_request_id" INTEGER,
ALTER COLUMN "issue_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "merge_request_id" INTEGER;

-- AlterTable
ALTER TABLE "timelogs" ADD COLUMN     "merge_request_id" INTEGER,
ALTER COLUMN "issue_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "todos" ADD COLUMN     "merge_request_id" INTEGER;

-- CreateTable
CREATE TABLE "merge_requests" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "iid" INTEGER NOT NULL,
    "source_project_id" INTEGER,
    "source_branch" TEXT NOT NULL,
    "target_branch" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "draft" BOOLEAN NOT NULL DEFAULT false,
    "state" "MergeRequestState" NOT NULL DEFAULT 'OPENED',
    "author_id" INTEGER NOT NULL,
    "assignee_id" INTEGER,
    "reviewer_id" INTEGER,
    "reviewer_since" TIMESTAMPTZ(3),
    "milestone_id" INTEGER,
    "label_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "discussion_locked" BOOLEAN,
    "head_sha" TEXT,
    "base_sha" TEXT,
    "start_sha" TEXT,
    "files_count" INTEGER,
    "commits_count" INTEGER NOT NULL DEFAULT 0,
    "merge_status" "MergeStatus" NOT NULL DEFAULT 'UNCHECKED',
    "checked_head" TEXT,
    "checked_target" TEXT,
    "needs_rebase" BOOLEAN NOT NULL DEFAULT false,
    "merge_error" TEXT,
    "rebasing_since" TIMESTAMPTZ(3),
    "squash" BOOLEAN NOT NULL DEFAULT false,
    "force_remove_source" BOOLEAN,
    "allow_collaboration" BOOLEAN NOT NULL DEFAULT false,
    "auto_merge" BOOLEAN NOT NULL DEFAULT false,
    "merge_user_id" INTEGER,
    "merge_params" JSONB,
    "merge_commit_sha" TEXT,
    "squash_commit_sha" TEXT,
    "merged_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "closed_by_id" INTEGER,
    "updated_by_id" INTEGER,
    "time_estimate" INTEGER NOT NULL DEFAULT 0,
    "time_spent" INTEGER NOT NULL DEFAULT 0,
    "upvotes" INTEGER NOT NULL DEFAULT 0,
    "downvotes" INTEGER NOT NULL DEFAULT 0,
    "notes_count" INTEGER NOT NULL DEFAULT 0,
    "internal_notes" INTEGER NOT NULL DEFAULT 0,
    "unresolved" INTEGER NOT NULL DEFAULT 0,
    "tasks" INTEGER NOT NULL DEFAULT 0,
    "tasks_completed" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merge_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merge_request_versions" (
    "id" SERIAL NOT NULL,
    "merge_request_id" INTEGER NOT NULL,
    "head_sha" TEXT NOT NULL,
    "base_sha" TEXT NOT NULL,
    "start_sha" TEXT NOT NULL,
    "files_count" INTEGER NOT NULL,
    "commits_count" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merge_request_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "approvals" (
    "id" SERIAL NOT NULL,
    "merge_request_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merge_request_issues" (
    "merge_request_id" INTEGER NOT NULL,
    "issue_id" INTEGER NOT NULL,
    "closes" BOOLEAN NOT NULL,

    CONSTRAINT "merge_request_issues_pkey" PRIMARY KEY ("merge_request_id","issue_id")
);

-- CreateIndex
CREATE INDEX "merge_requests_project_id_created_at_id_idx" ON "merge_requests"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_project_id_updated_at_id_idx" ON "merge_requests"("project_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_project_id_title_id_idx" ON "merge_requests"("project_id", "title", "id");

-- CreateIndex
CREATE INDEX "merge_requests_project_id_merged_at_id_idx" ON "merge_requests"("project_id", "merged_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_project_id_target_branch_idx" ON "merge_requests"("project_id", "target_branch");

-- CreateIndex
CREATE INDEX "merge_requests_source_project_id_source_branch_idx" ON "merge_requests"("source_project_id", "source_branch");

-- CreateIndex
CREATE INDEX "merge_requests_created_at_id_idx" ON "merge_requests"("created_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_updated_at_id_idx" ON "merge_requests"("updated_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_author_id_created_at_id_idx" ON "merge_requests"("author_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_assignee_id_created_at_id_idx" ON "merge_requests"("assignee_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_reviewer_id_created_at_id_idx" ON "merge_requests"("reviewer_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_milestone_id_created_at_id_idx" ON "merge_requests"("milestone_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_merge_user_id_idx" ON "merge_requests"("merge_user_id");

-- CreateIndex
CREATE INDEX "merge_requests_closed_by_id_idx" ON "merge_requests"("closed_by_id");

-- CreateIndex
CREATE INDEX "merge_requests_updated_by_id_idx" ON "merge_requests"("updated_by_id");

-- CreateIndex
CREATE INDEX "merge_requests_label_ids_idx" ON "merge_requests" USING GIN ("label_ids");

-- CreateIndex
CREATE UNIQUE INDEX "merge_requests_project_id_iid_key" ON "merge_requests"("project_id", "iid");

-- CreateIndex
CREATE INDEX "merge_request_versions_merge_request_id_id_idx" ON "merge_request_versions"("merge_request_id", "id");

-- CreateIndex
CREATE INDEX "approvals_user_id_idx" ON "approvals"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "approvals_merge_request_id_user_id_key" ON "approvals"("merge_request_id", "user_id");

-- CreateIndex
CREATE INDEX "merge_request_issues_issue_id_idx" ON "merge_request_issues"("issue_id");

-- CreateIndex
CREATE UNIQUE INDEX "awards_merge_request_id_user_id_name_key" ON "awards"("merge_request_id", "user_id", "name");

-- CreateIndex
CREATE INDEX "notes_merge_request_id_created_at_id_idx" ON "notes"("merge_request_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "notes_merge_request_id_updated_at_id_idx" ON "notes"("merge_request_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "notes_referrer_merge_request_id_idx" ON "notes"("referrer_merge_request_id");

-- CreateIndex
CREATE UNIQUE INDEX "participants_merge_request_id_user_id_key" ON "participants"("merge_request_id", "user_id");

-- CreateIndex
CREATE INDEX "resource_events_merge_request_id_kind_id_idx" ON "resource_events"("merge_request_id", "kind", "id");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_merge_request_id_user_id_key" ON "subscriptions"("merge_request_id", "user_id");

-- CreateIndex
CREATE INDEX "timelogs_merge_request_id_idx" ON "timelogs"("merge_request_id");

-- CreateIndex
CREATE INDEX "todos_merge_request_id_user_id_idx" ON "todos"("merge_request_id", "user_id");

-- AddForeignKey
ALTER TABLE "participants" ADD CONSTRAINT "participants_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_events" ADD CONSTRAINT "resource_events_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "awards" ADD CONSTRAINT "awards_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "todos" ADD CONSTRAINT "todos_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "timelogs" ADD CONSTRAINT "timelogs_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_source_project_id_fkey" FOREIGN KEY ("source_project_id") REFERENCES "projects"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_reviewer_id_fkey" FOREIGN KEY ("reviewer_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_merge_user_id_fkey" FOREIGN KEY ("merge_user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_closed_by_id_fkey" FOREIGN KEY ("closed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_milestone_id_fkey" FOREIGN KEY ("milestone_id") REFERENCES "milestones"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_request_versions" ADD CONSTRAINT "merge_request_versions_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_request_issues" ADD CONSTRAINT "merge_request_issues_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_request_issues" ADD CONSTRAINT "merge_request_issues_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Each of these is about one thing.
ALTER TABLE "notes" DROP CONSTRAINT "notes_one_subject", ADD CONSTRAINT "notes_one_subject" CHECK (num_nonnulls(issue_id, snippet_id, merge_request_id) = 1);
ALTER TABLE "awards" DROP CONSTRAINT "awards_one_subject", ADD CONSTRAINT "awards_one_subject" CHECK (num_nonnulls(issue_id, note_id, snippet_id, merge_request_id) = 1);
ALTER TABLE "subscriptions" DROP CONSTRAINT "subscriptions_one_subject", ADD CONSTRAINT "subscriptions_one_subject" CHECK (num_nonnulls(issue_id, label_id, merge_request_id) = 1);
ALTER TABLE "participants" ADD CONSTRAINT "participants_one_subject" CHECK (num_nonnulls(issue_id, merge_request_id) = 1);
ALTER TABLE "resource_events" ADD CONSTRAINT "resource_events_one_subject" CHECK (num_nonnulls(issue_id, merge_request_id) = 1);
ALTER TABLE "timelogs" ADD CONSTRAINT "timelogs_one_subject" CHECK (num_nonnulls(issue_id, merge_request_id) = 1);

-- Every page of projects counts their open merge requests.
CREATE INDEX "merge_requests_open_idx" ON "merge_requests"("project_id") WHERE "state" = 'OPENED';

-- One open merge request for a pair of branches, whoever opens two at once.
CREATE UNIQUE INDEX "merge_requests_open_key" ON "merge_requests"("source_project_id", "source_branch", "project_id", "target_branch") WHERE "state" = 'OPENED';

-- Those that wait for their pipeline.
CREATE INDEX "merge_requests_auto_merge_idx" ON "merge_requests"("source_project_id", "head_sha") WHERE "auto_merge";

-- A person has one pending to-do of each kind for a merge request, and one for each comment.
CREATE UNIQUE INDEX "todos_pending_of_merge_requests_key" ON "todos"("user_id", "merge_request_id", "action", (coalesce("note_id", 0))) WHERE "state" = 'PENDING' AND "merge_request_id" IS NOT NULL;

-- Searching merge requests by any part of a text, where the database has pg_trgm.
DO $$
BEGIN
  CREATE INDEX "merge_requests_search_idx" ON "merge_requests" USING GIN ("title" gin_trgm_ops, "description" gin_trgm_ops);
EXCEPTION
  WHEN undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available (%): searching reads whole tables', SQLERRM;
END
$$;
