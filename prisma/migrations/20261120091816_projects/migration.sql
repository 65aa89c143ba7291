-- CreateTable
CREATE TABLE "former_paths" (
    "path" TEXT NOT NULL,
    "project_id" INTEGER NOT NULL,

    CONSTRAINT "former_paths_pkey" PRIMARY KEY ("path")
);

-- CreateIndex
CREATE INDEX "former_paths_project_id_idx" ON "former_paths"("project_id");

-- CreateIndex
CREATE INDEX "projects_created_at_id_idx" ON "projects"("created_at", "id");

-- CreateIndex
CREATE INDEX "projects_updated_at_id_idx" ON "projects"("updated_at", "id");

-- CreateIndex
CREATE INDEX "projects_last_activity_at_id_idx" ON "projects"("last_activity_at", "id");

-- CreateIndex
CREATE INDEX "projects_name_id_idx" ON "projects"("name", "id");

-- CreateIndex
CREATE INDEX "projects_path_id_idx" ON "projects"("path", "id");

-- CreateIndex
CREATE INDEX "projects_star_count_id_idx" ON "projects"("star_count", "id");

-- CreateIndex
CREATE INDEX "projects_visibility_created_at_id_idx" ON "projects"("visibility", "created_at", "id");

-- CreateIndex
CREATE INDEX "projects_visibility_id_idx" ON "projects"("visibility", "id");

-- CreateIndex
CREATE INDEX "projects_topics_idx" ON "projects" USING GIN ("topics");

-- Searching by any part of a text. pg_trgm is a trusted extension: whoever may create in the database may have it.
-- Where that is refused, or a managed server doesn't offer it, searching works too and takes longer.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "projects_search_idx" ON "projects" USING GIN ("name" gin_trgm_ops, "path" gin_trgm_ops, "full_path" gin_trgm_ops, "description" gin_trgm_ops);
  CREATE INDEX "namespaces_search_idx" ON "namespaces" USING GIN ("name" gin_trgm_ops, "path" gin_trgm_ops, "full_path" gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available (%): searching reads whole tables', SQLERRM;
END
$$;

-- AddForeignKey
ALTER TABLE "former_paths" ADD CONSTRAINT "former_paths_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;
