-- Which merge request made a commit. Only merged ones have these.
CREATE INDEX "merge_requests_merge_commit_idx" ON "merge_requests"("project_id", "merge_commit_sha") WHERE "merge_commit_sha" IS NOT NULL;
CREATE INDEX "merge_requests_squash_commit_idx" ON "merge_requests"("project_id", "squash_commit_sha") WHERE "squash_commit_sha" IS NOT NULL;
