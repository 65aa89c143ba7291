-- Every page of projects counts their open issues: this index is all that it reads.
CREATE INDEX "issues_open_idx" ON "issues"("project_id", "confidential") WHERE "state" = 'OPENED';
