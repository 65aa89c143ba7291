-- CreateIndex
CREATE INDEX "projects_archived_created_at_id_idx" ON "projects"("archived", "created_at", "id");

-- CreateIndex
CREATE INDEX "stars_project_id_created_at_user_id_idx" ON "stars"("project_id", "created_at", "user_id");
