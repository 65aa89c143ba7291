-- DropIndex
DROP INDEX "group_members_group_id_idx";

-- DropIndex
DROP INDEX "project_members_project_id_idx";

-- CreateIndex
CREATE INDEX "group_members_group_id_user_id_idx" ON "group_members"("group_id", "user_id");

-- CreateIndex
CREATE INDEX "group_members_expires_at_idx" ON "group_members"("expires_at");

-- CreateIndex
CREATE INDEX "namespaces_name_id_idx" ON "namespaces"("name", "id");

-- CreateIndex
CREATE INDEX "namespaces_path_id_idx" ON "namespaces"("path", "id");

-- CreateIndex
CREATE INDEX "project_members_project_id_user_id_idx" ON "project_members"("project_id", "user_id");

-- CreateIndex
CREATE INDEX "project_members_expires_at_idx" ON "project_members"("expires_at");
