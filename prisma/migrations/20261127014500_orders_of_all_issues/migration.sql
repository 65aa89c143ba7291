-- Orders of the list of all issues. What has no due date comes last in each direction: schema.prisma can't express that.
CREATE INDEX "issues_title_id_idx" ON "issues"("title", "id");
CREATE INDEX "issues_upvotes_id_idx" ON "issues"("upvotes", "id");
CREATE INDEX "issues_all_due_date_asc_idx" ON "issues"((coalesce("due_date" - date '1970-01-01', 2147483647)), "id" DESC);
CREATE INDEX "issues_all_due_date_desc_idx" ON "issues"((coalesce("due_date" - date '1970-01-01', -2147483647)), "id");

-- Each comment writes all indexes of its issue. Few issues have all of these four, which only removals look up.
DROP INDEX "issues_closed_by_id_idx";
DROP INDEX "issues_updated_by_id_idx";
DROP INDEX "issues_moved_to_id_idx";
DROP INDEX "issues_duplicated_to_id_idx";
CREATE INDEX "issues_closed_by_id_idx" ON "issues"("closed_by_id") WHERE "closed_by_id" IS NOT NULL;
CREATE INDEX "issues_updated_by_id_idx" ON "issues"("updated_by_id") WHERE "updated_by_id" IS NOT NULL;
CREATE INDEX "issues_moved_to_id_idx" ON "issues"("moved_to_id") WHERE "moved_to_id" IS NOT NULL;
CREATE INDEX "issues_duplicated_to_id_idx" ON "issues"("duplicated_to_id") WHERE "duplicated_to_id" IS NOT NULL;
