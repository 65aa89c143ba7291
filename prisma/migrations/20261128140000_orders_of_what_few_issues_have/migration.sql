-- Orders of the list of all issues by what few of them have: the others are read along the primary key.
CREATE INDEX "issues_severity_idx" ON "issues"("severity", "id") WHERE "severity" <> 'UNKNOWN';
CREATE INDEX "issues_all_position_idx" ON "issues"("relative_position", "id" DESC) WHERE "relative_position" IS NOT NULL;
