-- CreateTable
CREATE TABLE "draft_notes" (
    "id" SERIAL NOT NULL,
    "merge_request_id" INTEGER NOT NULL,
    "author_id" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "discussion_id" BYTEA,
    "resolve_discussion" BOOLEAN NOT NULL DEFAULT false,
    "commit_id" TEXT,
    "position" JSONB,
    "line_code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "draft_notes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "draft_notes_merge_request_id_author_id_id_idx" ON "draft_notes"("merge_request_id", "author_id", "id");

-- CreateIndex
CREATE INDEX "draft_notes_author_id_idx" ON "draft_notes"("author_id");

-- AddForeignKey
ALTER TABLE "draft_notes" ADD CONSTRAINT "draft_notes_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "draft_notes" ADD CONSTRAINT "draft_notes_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
