-- CreateIndex
CREATE INDEX "namespaces_visibility_name_id_idx" ON "namespaces"("visibility", "name", "id");
