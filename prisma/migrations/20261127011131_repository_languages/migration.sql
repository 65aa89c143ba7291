-- AlterTable
ALTER TABLE "repositories" ADD COLUMN     "languages" JSONB NOT NULL DEFAULT '[]';

-- Projects of a language: names are compared without case.
CREATE INDEX "repositories_languages_idx" ON "repositories" USING gin ((lower("languages"::text)::jsonb) jsonb_path_ops);

-- Repositories that are there already are counted again, after everything else that waits.
INSERT INTO "jobs" ("name", "key", "payload", "priority", "max_attempts")
  SELECT 'measure_repository', "project_id"::text, jsonb_build_object('projectId', "project_id"), 2, 8 FROM "repositories"
  ON CONFLICT DO NOTHING;
