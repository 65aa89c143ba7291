-- CreateEnum
CREATE TYPE "CounterKind" AS ENUM ('ISSUE', 'MILESTONE');

-- CreateEnum
CREATE TYPE "MilestoneState" AS ENUM ('ACTIVE', 'CLOSED');

-- CreateEnum
CREATE TYPE "IssueState" AS ENUM ('OPENED', 'CLOSED');

-- CreateEnum
CREATE TYPE "IssueType" AS ENUM ('ISSUE', 'INCIDENT', 'TEST_CASE', 'TASK');

-- CreateEnum
CREATE TYPE "IssueSeverity" AS ENUM ('UNKNOWN', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL');

-- CreateEnum
CREATE TYPE "NoteType" AS ENUM ('DISCUSSION');

-- CreateEnum
CREATE TYPE "ResourceEventKind" AS ENUM ('LABEL', 'MILESTONE', 'STATE');

-- CreateEnum
CREATE TYPE "ResourceEventAction" AS ENUM ('ADD', 'REMOVE', 'CLOSED', 'REOPENED');

-- CreateEnum
CREATE TYPE "TodoAction" AS ENUM ('ASSIGNED', 'MENTIONED', 'DIRECTLY_ADDRESSED', 'MARKED');

-- CreateEnum
CREATE TYPE "TodoState" AS ENUM ('PENDING', 'DONE');

-- CreateTable
CREATE TABLE "project_counters" (
    "project_id" INTEGER NOT NULL,
    "kind" "CounterKind" NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "project_counters_pkey" PRIMARY KEY ("project_id","kind")
);

-- CreateTable
CREATE TABLE "group_counters" (
    "group_id" INTEGER NOT NULL,
    "kind" "CounterKind" NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "group_counters_pkey" PRIMARY KEY ("group_id","kind")
);

-- CreateTable
CREATE TABLE "labels" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER,
    "group_id" INTEGER,
    "title" TEXT NOT NULL,
    "color" TEXT NOT NULL,
    "description" TEXT,
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "labels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "label_priorities" (
    "project_id" INTEGER NOT NULL,
    "label_id" INTEGER NOT NULL,
    "priority" INTEGER NOT NULL,

    CONSTRAINT "label_priorities_pkey" PRIMARY KEY ("project_id","label_id")
);

-- CreateTable
CREATE TABLE "milestones" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER,
    "group_id" INTEGER,
    "iid" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "state" "MilestoneState" NOT NULL DEFAULT 'ACTIVE',
    "start_date" DATE,
    "due_date" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "milestones_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "issues" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "iid" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "type" "IssueType" NOT NULL DEFAULT 'ISSUE',
    "severity" "IssueSeverity" NOT NULL DEFAULT 'UNKNOWN',
    "state" "IssueState" NOT NULL DEFAULT 'OPENED',
    "author_id" INTEGER NOT NULL,
    "assignee_id" INTEGER,
    "milestone_id" INTEGER,
    "label_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "due_date" DATE,
    "confidential" BOOLEAN NOT NULL DEFAULT false,
    "discussion_locked" BOOLEAN,
    "relative_position" INTEGER,
    "closed_at" TIMESTAMPTZ(3),
    "closed_by_id" INTEGER,
    "updated_by_id" INTEGER,
    "moved_to_id" INTEGER,
    "duplicated_to_id" INTEGER,
    "time_estimate" INTEGER NOT NULL DEFAULT 0,
    "time_spent" INTEGER NOT NULL DEFAULT 0,
    "upvotes" INTEGER NOT NULL DEFAULT 0,
    "downvotes" INTEGER NOT NULL DEFAULT 0,
    "notes_count" INTEGER NOT NULL DEFAULT 0,
    "internal_notes" INTEGER NOT NULL DEFAULT 0,
    "tasks" INTEGER NOT NULL DEFAULT 0,
    "tasks_completed" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "issues_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "issue_links" (
    "id" SERIAL NOT NULL,
    "source_id" INTEGER NOT NULL,
    "target_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "issue_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "participants" (
    "issue_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "participants_pkey" PRIMARY KEY ("issue_id","user_id")
);

-- CreateTable
CREATE TABLE "notes" (
    "id" SERIAL NOT NULL,
    "issue_id" INTEGER,
    "snippet_id" INTEGER,
    "project_id" INTEGER NOT NULL,
    "discussion_id" BYTEA NOT NULL,
    "type" "NoteType",
    "author_id" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "system" BOOLEAN NOT NULL DEFAULT false,
    "action" TEXT,
    "internal" BOOLEAN NOT NULL DEFAULT false,
    "referrer_id" INTEGER,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by_id" INTEGER,
    "edited_at" TIMESTAMPTZ(3),
    "edited_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "resource_events" (
    "id" SERIAL NOT NULL,
    "issue_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" "ResourceEventKind" NOT NULL,
    "action" "ResourceEventAction" NOT NULL,
    "label_id" INTEGER,
    "milestone_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "resource_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "awards" (
    "id" SERIAL NOT NULL,
    "issue_id" INTEGER,
    "note_id" INTEGER,
    "snippet_id" INTEGER,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "awards_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "todos" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "author_id" INTEGER NOT NULL,
    "project_id" INTEGER,
    "group_id" INTEGER,
    "issue_id" INTEGER,
    "note_id" INTEGER,
    "action" "TodoAction" NOT NULL,
    "state" "TodoState" NOT NULL DEFAULT 'PENDING',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "todos_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "issue_id" INTEGER,
    "label_id" INTEGER,
    "project_id" INTEGER,
    "subscribed" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "timelogs" (
    "id" SERIAL NOT NULL,
    "issue_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "note_id" INTEGER,
    "seconds" INTEGER NOT NULL,
    "summary" TEXT,
    "spent_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "timelogs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "snippets" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER,
    "author_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "visibility" "Visibility" NOT NULL DEFAULT 'PRIVATE',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "snippets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "snippet_files" (
    "snippet_id" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "snippet_files_pkey" PRIMARY KEY ("snippet_id","path")
);

-- CreateIndex
CREATE UNIQUE INDEX "labels_project_id_title_key" ON "labels"("project_id", "title");

-- CreateIndex
CREATE UNIQUE INDEX "labels_group_id_title_key" ON "labels"("group_id", "title");

-- CreateIndex
CREATE INDEX "label_priorities_label_id_idx" ON "label_priorities"("label_id");

-- CreateIndex
CREATE UNIQUE INDEX "milestones_project_id_iid_key" ON "milestones"("project_id", "iid");

-- CreateIndex
CREATE UNIQUE INDEX "milestones_group_id_iid_key" ON "milestones"("group_id", "iid");

-- CreateIndex
CREATE UNIQUE INDEX "milestones_project_id_title_key" ON "milestones"("project_id", "title");

-- CreateIndex
CREATE UNIQUE INDEX "milestones_group_id_title_key" ON "milestones"("group_id", "title");

-- CreateIndex
CREATE INDEX "issues_project_id_created_at_id_idx" ON "issues"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "issues_project_id_updated_at_id_idx" ON "issues"("project_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "issues_project_id_due_date_id_idx" ON "issues"("project_id", "due_date", "id");

-- CreateIndex
CREATE INDEX "issues_project_id_relative_position_id_idx" ON "issues"("project_id", "relative_position", "id");

-- CreateIndex
CREATE INDEX "issues_project_id_title_id_idx" ON "issues"("project_id", "title", "id");

-- CreateIndex
CREATE INDEX "issues_project_id_upvotes_id_idx" ON "issues"("project_id", "upvotes", "id");

-- CreateIndex
CREATE INDEX "issues_created_at_id_idx" ON "issues"("created_at", "id");

-- CreateIndex
CREATE INDEX "issues_updated_at_id_idx" ON "issues"("updated_at", "id");

-- CreateIndex
CREATE INDEX "issues_author_id_created_at_id_idx" ON "issues"("author_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "issues_assignee_id_created_at_id_idx" ON "issues"("assignee_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "issues_milestone_id_created_at_id_idx" ON "issues"("milestone_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "issues_closed_by_id_idx" ON "issues"("closed_by_id");

-- CreateIndex
CREATE INDEX "issues_updated_by_id_idx" ON "issues"("updated_by_id");

-- CreateIndex
CREATE INDEX "issues_moved_to_id_idx" ON "issues"("moved_to_id");

-- CreateIndex
CREATE INDEX "issues_duplicated_to_id_idx" ON "issues"("duplicated_to_id");

-- CreateIndex
CREATE INDEX "issues_label_ids_idx" ON "issues" USING GIN ("label_ids");

-- CreateIndex
CREATE UNIQUE INDEX "issues_project_id_iid_key" ON "issues"("project_id", "iid");

-- CreateIndex
CREATE INDEX "issue_links_target_id_idx" ON "issue_links"("target_id");

-- CreateIndex
CREATE UNIQUE INDEX "issue_links_source_id_target_id_key" ON "issue_links"("source_id", "target_id");

-- CreateIndex
CREATE INDEX "participants_user_id_idx" ON "participants"("user_id");

-- CreateIndex
CREATE INDEX "notes_issue_id_created_at_id_idx" ON "notes"("issue_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "notes_issue_id_updated_at_id_idx" ON "notes"("issue_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "notes_snippet_id_created_at_id_idx" ON "notes"("snippet_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "notes_discussion_id_idx" ON "notes"("discussion_id");

-- CreateIndex
CREATE INDEX "notes_project_id_idx" ON "notes"("project_id");

-- CreateIndex
CREATE INDEX "notes_author_id_idx" ON "notes"("author_id");

-- CreateIndex
CREATE INDEX "notes_resolved_by_id_idx" ON "notes"("resolved_by_id");

-- CreateIndex
CREATE INDEX "notes_edited_by_id_idx" ON "notes"("edited_by_id");

-- CreateIndex
CREATE INDEX "notes_referrer_id_idx" ON "notes"("referrer_id");

-- CreateIndex
CREATE INDEX "resource_events_issue_id_kind_id_idx" ON "resource_events"("issue_id", "kind", "id");

-- CreateIndex
CREATE INDEX "resource_events_user_id_idx" ON "resource_events"("user_id");

-- CreateIndex
CREATE INDEX "resource_events_label_id_idx" ON "resource_events"("label_id");

-- CreateIndex
CREATE INDEX "resource_events_milestone_id_idx" ON "resource_events"("milestone_id");

-- CreateIndex
CREATE INDEX "awards_user_id_idx" ON "awards"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "awards_issue_id_user_id_name_key" ON "awards"("issue_id", "user_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "awards_note_id_user_id_name_key" ON "awards"("note_id", "user_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "awards_snippet_id_user_id_name_key" ON "awards"("snippet_id", "user_id", "name");

-- CreateIndex
CREATE INDEX "todos_user_id_state_id_idx" ON "todos"("user_id", "state", "id");

-- CreateIndex
CREATE INDEX "todos_issue_id_user_id_idx" ON "todos"("issue_id", "user_id");

-- CreateIndex
CREATE INDEX "todos_author_id_idx" ON "todos"("author_id");

-- CreateIndex
CREATE INDEX "todos_project_id_idx" ON "todos"("project_id");

-- CreateIndex
CREATE INDEX "todos_group_id_idx" ON "todos"("group_id");

-- CreateIndex
CREATE INDEX "todos_note_id_idx" ON "todos"("note_id");

-- CreateIndex
CREATE INDEX "subscriptions_user_id_idx" ON "subscriptions"("user_id");

-- CreateIndex
CREATE INDEX "subscriptions_project_id_idx" ON "subscriptions"("project_id");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_issue_id_user_id_key" ON "subscriptions"("issue_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_label_id_user_id_project_id_key" ON "subscriptions"("label_id", "user_id", "project_id");

-- CreateIndex
CREATE INDEX "timelogs_issue_id_idx" ON "timelogs"("issue_id");

-- CreateIndex
CREATE INDEX "timelogs_user_id_idx" ON "timelogs"("user_id");

-- CreateIndex
CREATE INDEX "timelogs_note_id_idx" ON "timelogs"("note_id");

-- CreateIndex
CREATE INDEX "snippets_project_id_id_idx" ON "snippets"("project_id", "id");

-- CreateIndex
CREATE INDEX "snippets_author_id_id_idx" ON "snippets"("author_id", "id");

-- CreateIndex
CREATE INDEX "snippets_visibility_id_idx" ON "snippets"("visibility", "id");

-- AddForeignKey
ALTER TABLE "project_counters" ADD CONSTRAINT "project_counters_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_counters" ADD CONSTRAINT "group_counters_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "labels" ADD CONSTRAINT "labels_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "labels" ADD CONSTRAINT "labels_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "label_priorities" ADD CONSTRAINT "label_priorities_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "label_priorities" ADD CONSTRAINT "label_priorities_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "milestones" ADD CONSTRAINT "milestones_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "milestones" ADD CONSTRAINT "milestones_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_closed_by_id_fkey" FOREIGN KEY ("closed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_milestone_id_fkey" FOREIGN KEY ("milestone_id") REFERENCES "milestones"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_moved_to_id_fkey" FOREIGN KEY ("moved_to_id") REFERENCES "issues"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_duplicated_to_id_fkey" FOREIGN KEY ("duplicated_to_id") REFERENCES "issues"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issue_links" ADD CONSTRAINT "issue_links_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issue_links" ADD CONSTRAINT "issue_links_target_id_fkey" FOREIGN KEY ("target_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "participants" ADD CONSTRAINT "participants_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "participants" ADD CONSTRAINT "participants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_snippet_id_fkey" FOREIGN KEY ("snippet_id") REFERENCES "snippets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_resolved_by_id_fkey" FOREIGN KEY ("resolved_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_edited_by_id_fkey" FOREIGN KEY ("edited_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_events" ADD CONSTRAINT "resource_events_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_events" ADD CONSTRAINT "resource_events_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_events" ADD CONSTRAINT "resource_events_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_events" ADD CONSTRAINT "resource_events_milestone_id_fkey" FOREIGN KEY ("milestone_id") REFERENCES "milestones"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "awards" ADD CONSTRAINT "awards_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "awards" ADD CONSTRAINT "awards_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "awards" ADD CONSTRAINT "awards_snippet_id_fkey" FOREIGN KEY ("snippet_id") REFERENCES "snippets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "awards" ADD CONSTRAINT "awards_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "todos" ADD CONSTRAINT "todos_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "todos" ADD CONSTRAINT "todos_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "todos" ADD CONSTRAINT "todos_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "todos" ADD CONSTRAINT "todos_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "todos" ADD CONSTRAINT "todos_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "todos" ADD CONSTRAINT "todos_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "timelogs" ADD CONSTRAINT "timelogs_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "timelogs" ADD CONSTRAINT "timelogs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "timelogs" ADD CONSTRAINT "timelogs_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snippets" ADD CONSTRAINT "snippets_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snippets" ADD CONSTRAINT "snippets_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snippet_files" ADD CONSTRAINT "snippet_files_snippet_id_fkey" FOREIGN KEY ("snippet_id") REFERENCES "snippets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Each belongs to exactly one place or record.
ALTER TABLE "labels" ADD CONSTRAINT "labels_one_place" CHECK (num_nonnulls(project_id, group_id) = 1);
ALTER TABLE "milestones" ADD CONSTRAINT "milestones_one_place" CHECK (num_nonnulls(project_id, group_id) = 1);
ALTER TABLE "notes" ADD CONSTRAINT "notes_one_subject" CHECK (num_nonnulls(issue_id, snippet_id) = 1);
ALTER TABLE "awards" ADD CONSTRAINT "awards_one_subject" CHECK (num_nonnulls(issue_id, note_id, snippet_id) = 1);
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_one_subject" CHECK (num_nonnulls(issue_id, label_id) = 1);

-- A label in its own place is subscribed to once: the unique index above takes nulls for different.
CREATE UNIQUE INDEX "subscriptions_label_id_user_id_key" ON "subscriptions"("label_id", "user_id") WHERE project_id IS NULL;

-- Searching issues by any part of a text, where the database has pg_trgm.
DO $$
BEGIN
  CREATE INDEX "issues_search_idx" ON "issues" USING GIN ("title" gin_trgm_ops, "description" gin_trgm_ops);
EXCEPTION
  WHEN undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available (%): searching reads whole tables', SQLERRM;
END
$$;
