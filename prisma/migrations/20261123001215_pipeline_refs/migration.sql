-- AlterTable
ALTER TABLE "pipelines" ADD COLUMN     "ref_kept" BOOLEAN NOT NULL DEFAULT false;

-- A late runner is found by its token, too.
CREATE UNIQUE INDEX "ci_jobs_issued_digest_key" ON "ci_jobs"("issued_digest");

-- The references that a sweep removes when their pipelines have finished.
CREATE INDEX "pipelines_ref_kept_idx" ON "pipelines"("id") WHERE "ref_kept";
