-- AlterTable
ALTER TABLE "ref_changes" ADD COLUMN     "commits" INTEGER,
ADD COLUMN     "title" TEXT;

-- CreateTable
CREATE TABLE "merge_request_context_commits" (
    "merge_request_id" INTEGER NOT NULL,
    "sha" TEXT NOT NULL,

    CONSTRAINT "merge_request_context_commits_pkey" PRIMARY KEY ("merge_request_id","sha")
);

-- AddForeignKey
ALTER TABLE "merge_request_context_commits" ADD CONSTRAINT "merge_request_context_commits_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Lists by the time of the merge: what isn't merged comes last in each direction, so that each direction has its index. Those
-- over everything begin with the time.
CREATE INDEX "merge_requests_merged_asc_idx" ON "merge_requests"("project_id", (coalesce("merged_at", '9999-12-31T00:00:00Z'::timestamptz)), "id" DESC);
CREATE INDEX "merge_requests_merged_desc_idx" ON "merge_requests"("project_id", (coalesce("merged_at", '0001-01-01T00:00:00Z'::timestamptz)), "id");
CREATE INDEX "merge_requests_all_merged_asc_idx" ON "merge_requests"((coalesce("merged_at", '9999-12-31T00:00:00Z'::timestamptz)), "id" DESC);
CREATE INDEX "merge_requests_all_merged_desc_idx" ON "merge_requests"((coalesce("merged_at", '0001-01-01T00:00:00Z'::timestamptz)), "id");
