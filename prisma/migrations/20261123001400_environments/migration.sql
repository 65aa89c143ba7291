-- AlterEnum
ALTER TYPE "CounterKind" ADD VALUE 'DEPLOYMENT';

-- CreateTable
CREATE TABLE "environments" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "external_url" TEXT,
    "tier" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'available',
    "description" TEXT,
    "auto_stop_at" TIMESTAMPTZ(3),
    "auto_stop_setting" TEXT NOT NULL DEFAULT 'always',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "environments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_environments" (
    "job_id" INTEGER NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "auto_stop_in" INTEGER,
    "on_stop" TEXT,

    CONSTRAINT "job_environments_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "deployments" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "iid" INTEGER NOT NULL,
    "ref" TEXT NOT NULL,
    "tag" BOOLEAN NOT NULL,
    "sha" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'created',
    "user_id" INTEGER,
    "job_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "deployments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deployment_merge_requests" (
    "deployment_id" INTEGER NOT NULL,
    "merge_request_id" INTEGER NOT NULL,
    "environment_id" INTEGER NOT NULL,

    CONSTRAINT "deployment_merge_requests_pkey" PRIMARY KEY ("deployment_id","merge_request_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "environments_project_id_name_key" ON "environments"("project_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "environments_project_id_slug_key" ON "environments"("project_id", "slug");

-- CreateIndex
CREATE INDEX "job_environments_environment_id_idx" ON "job_environments"("environment_id");

-- CreateIndex
CREATE UNIQUE INDEX "deployments_job_id_key" ON "deployments"("job_id");

-- CreateIndex
CREATE INDEX "deployments_project_id_id_idx" ON "deployments"("project_id", "id");

-- CreateIndex
CREATE INDEX "deployments_project_id_status_id_idx" ON "deployments"("project_id", "status", "id");

-- CreateIndex
CREATE INDEX "deployments_project_id_ref_id_idx" ON "deployments"("project_id", "ref", "id");

-- CreateIndex
CREATE INDEX "deployments_project_id_created_at_id_idx" ON "deployments"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "deployments_project_id_updated_at_id_idx" ON "deployments"("project_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "deployments_environment_id_id_idx" ON "deployments"("environment_id", "id");

-- CreateIndex
CREATE INDEX "deployments_user_id_idx" ON "deployments"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "deployments_project_id_iid_key" ON "deployments"("project_id", "iid");

-- CreateIndex
CREATE INDEX "deployment_merge_requests_merge_request_id_idx" ON "deployment_merge_requests"("merge_request_id");

-- CreateIndex
CREATE UNIQUE INDEX "deployment_merge_requests_environment_id_merge_request_id_key" ON "deployment_merge_requests"("environment_id", "merge_request_id");

-- AddForeignKey
ALTER TABLE "environments" ADD CONSTRAINT "environments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_environments" ADD CONSTRAINT "job_environments_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "ci_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_environments" ADD CONSTRAINT "job_environments_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "ci_jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployment_merge_requests" ADD CONSTRAINT "deployment_merge_requests_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployment_merge_requests" ADD CONSTRAINT "deployment_merge_requests_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployment_merge_requests" ADD CONSTRAINT "deployment_merge_requests_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The page of an environment shows what is there now, and which ones to stop next.
CREATE INDEX "deployments_success_idx" ON "deployments"("environment_id", "id") WHERE "status" = 'success';
CREATE INDEX "deployments_finished_idx" ON "deployments"("project_id", (coalesce("finished_at", '9999-12-31Z'::timestamptz)), "id");
CREATE INDEX "environments_due_idx" ON "environments"("auto_stop_at") WHERE "auto_stop_at" IS NOT NULL AND "state" = 'available';
