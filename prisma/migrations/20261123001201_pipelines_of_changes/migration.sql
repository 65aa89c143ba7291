-- AlterTable
ALTER TABLE "pipelines" ADD COLUMN     "ref_change_id" INTEGER;

-- AlterTable
ALTER TABLE "repositories" ADD COLUMN     "pipelined" INTEGER NOT NULL DEFAULT 0;

-- Changes of before have no pipelines, and get none.
UPDATE "repositories" r SET "pipelined" = coalesce((SELECT max(c."id") FROM "ref_changes" c WHERE c."project_id" = r."project_id"), 0);

-- One pipeline for each change of a branch or tag, and one for each merge request from that branch.
CREATE UNIQUE INDEX "pipelines_ref_change_key" ON "pipelines"("ref_change_id", (coalesce("merge_request_id", 0))) WHERE "ref_change_id" IS NOT NULL;
