-- CreateIndex
CREATE INDEX "labels_title_idx" ON "labels"("title");

-- CreateIndex
CREATE INDEX "milestones_title_idx" ON "milestones"("title");

-- What has no value comes last in each direction, so that each direction has its index: schema.prisma can't express them.
CREATE INDEX "issues_due_date_asc_idx" ON "issues"("project_id", (coalesce("due_date" - date '1970-01-01', 2147483647)), "id" DESC);

-- CreateIndex
CREATE INDEX "issues_due_date_desc_idx" ON "issues"("project_id", (coalesce("due_date" - date '1970-01-01', -2147483647)), "id");

-- CreateIndex
CREATE INDEX "issues_position_asc_idx" ON "issues"("project_id", (coalesce("relative_position", 2147483647)), "id" DESC);

-- CreateIndex
CREATE INDEX "issues_position_desc_idx" ON "issues"("project_id", (coalesce("relative_position", -2147483647)), "id");

-- There is one ghost, which has what removed people wrote.
CREATE UNIQUE INDEX "users_ghost_key" ON "users"(("attributes" -> 'ghost')) WHERE "attributes" @> '{"ghost": true}';
