-- AlterEnum
ALTER TYPE "CounterKind" ADD VALUE 'PIPELINE';

-- CreateTable
CREATE TABLE "pipelines" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "iid" INTEGER NOT NULL,
    "ref" TEXT NOT NULL,
    "tag" BOOLEAN NOT NULL DEFAULT false,
    "sha" TEXT NOT NULL,
    "before_sha" TEXT,
    "status" TEXT NOT NULL DEFAULT 'created',
    "source" TEXT NOT NULL,
    "name" TEXT,
    "yaml_errors" TEXT,
    "user_id" INTEGER,
    "merge_request_id" INTEGER,
    "coverage" DOUBLE PRECISION,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "duration" INTEGER,
    "queued_duration" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pipelines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ci_jobs" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "pipeline_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "stage_index" INTEGER NOT NULL,
    "ref" TEXT NOT NULL,
    "tag" BOOLEAN NOT NULL DEFAULT false,
    "sha" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'created',
    "allow_failure" BOOLEAN NOT NULL DEFAULT false,
    "description" TEXT,
    "target_url" TEXT,
    "coverage" DOUBLE PRECISION,
    "user_id" INTEGER,
    "failure_reason" TEXT,
    "retried" BOOLEAN NOT NULL DEFAULT false,
    "queued_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ci_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ci_refs" (
    "project_id" INTEGER NOT NULL,
    "tag" BOOLEAN NOT NULL,
    "ref" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "pipeline_id" INTEGER NOT NULL,

    CONSTRAINT "ci_refs_pkey" PRIMARY KEY ("project_id","tag","ref")
);

-- CreateIndex
CREATE INDEX "pipelines_project_id_id_idx" ON "pipelines"("project_id", "id");

-- CreateIndex
CREATE INDEX "pipelines_project_id_status_id_idx" ON "pipelines"("project_id", "status", "id");

-- CreateIndex
CREATE INDEX "pipelines_project_id_ref_id_idx" ON "pipelines"("project_id", "ref", "id");

-- CreateIndex
CREATE INDEX "pipelines_project_id_sha_id_idx" ON "pipelines"("project_id", "sha", "id");

-- CreateIndex
CREATE INDEX "pipelines_project_id_source_id_idx" ON "pipelines"("project_id", "source", "id");

-- CreateIndex
CREATE INDEX "pipelines_project_id_updated_at_id_idx" ON "pipelines"("project_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "pipelines_project_id_created_at_id_idx" ON "pipelines"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "pipelines_user_id_idx" ON "pipelines"("user_id");

-- CreateIndex
CREATE INDEX "pipelines_merge_request_id_id_idx" ON "pipelines"("merge_request_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "pipelines_project_id_iid_key" ON "pipelines"("project_id", "iid");

-- CreateIndex
CREATE INDEX "ci_jobs_pipeline_id_id_idx" ON "ci_jobs"("pipeline_id", "id");

-- CreateIndex
CREATE INDEX "ci_jobs_pipeline_id_name_idx" ON "ci_jobs"("pipeline_id", "name");

-- CreateIndex
CREATE INDEX "ci_jobs_project_id_id_idx" ON "ci_jobs"("project_id", "id");

-- CreateIndex
CREATE INDEX "ci_jobs_project_id_status_id_idx" ON "ci_jobs"("project_id", "status", "id");

-- CreateIndex
CREATE INDEX "ci_jobs_project_id_sha_id_idx" ON "ci_jobs"("project_id", "sha", "id");

-- CreateIndex
CREATE INDEX "ci_jobs_user_id_idx" ON "ci_jobs"("user_id");

-- AddForeignKey
ALTER TABLE "pipelines" ADD CONSTRAINT "pipelines_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipelines" ADD CONSTRAINT "pipelines_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_jobs" ADD CONSTRAINT "ci_jobs_pipeline_id_fkey" FOREIGN KEY ("pipeline_id") REFERENCES "pipelines"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_jobs" ADD CONSTRAINT "ci_jobs_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_jobs" ADD CONSTRAINT "ci_jobs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_refs" ADD CONSTRAINT "ci_refs_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- For the order by people, which deleted ones have no place in.
CREATE INDEX "pipelines_people_idx" ON "pipelines"("project_id", (coalesce("user_id", 0)), "id");

-- Few pipelines have a name, or a wrong configuration.
CREATE INDEX "pipelines_named_idx" ON "pipelines"("project_id", "name", "id") WHERE "name" IS NOT NULL;
CREATE INDEX "pipelines_wrong_idx" ON "pipelines"("project_id", "id") WHERE "yaml_errors" IS NOT NULL;

-- What the status of a pipeline is made of.
CREATE INDEX "ci_jobs_latest_idx" ON "ci_jobs"("pipeline_id", "stage_index", "id") WHERE NOT "retried";
