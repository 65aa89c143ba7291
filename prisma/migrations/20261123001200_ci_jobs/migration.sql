-- AlterTable
ALTER TABLE "ci_jobs" ADD COLUMN     "contacted_at" TIMESTAMPTZ(3),
ADD COLUMN     "environment" TEXT,
ADD COLUMN     "erased_at" TIMESTAMPTZ(3),
ADD COLUMN     "exit_code" INTEGER,
ADD COLUMN     "has_needs" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "interruptible" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "needs" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "protected" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "runner_id" INTEGER,
ADD COLUMN     "runner_manager_id" INTEGER,
ADD COLUMN     "scheduled_at" TIMESTAMPTZ(3),
ADD COLUMN     "start_in" INTEGER,
ADD COLUMN     "tags" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "timeout" INTEGER,
ADD COLUMN     "token_digest" BYTEA,
ADD COLUMN     "when_to_run" TEXT;

-- AlterTable
ALTER TABLE "pipelines" ADD COLUMN     "protected" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "ci_job_plans" (
    "job_id" INTEGER NOT NULL,
    "plan" JSONB NOT NULL,

    CONSTRAINT "ci_job_plans_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "ci_pipeline_variables" (
    "pipeline_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'env_var',
    "sealed" BYTEA NOT NULL,
    "raw" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "ci_pipeline_variables_pkey" PRIMARY KEY ("pipeline_id","key")
);

-- CreateTable
CREATE TABLE "ci_job_variables" (
    "job_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "ci_job_variables_pkey" PRIMARY KEY ("job_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "ci_jobs_token_digest_key" ON "ci_jobs"("token_digest");

-- AddForeignKey
ALTER TABLE "ci_job_plans" ADD CONSTRAINT "ci_job_plans_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "ci_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_pipeline_variables" ADD CONSTRAINT "ci_pipeline_variables_pipeline_id_fkey" FOREIGN KEY ("pipeline_id") REFERENCES "pipelines"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_job_variables" ADD CONSTRAINT "ci_job_variables_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "ci_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The queue of runners: jobs that wait for one, the oldest first.
CREATE INDEX "ci_jobs_pending_idx" ON "ci_jobs"("id") WHERE "status" = 'pending' AND "kind" = 'job';

-- What a clock starts or ends: delayed jobs, and those whose runner is silent.
CREATE INDEX "ci_jobs_scheduled_idx" ON "ci_jobs"("scheduled_at") WHERE "status" = 'scheduled';
CREATE INDEX "ci_jobs_running_idx" ON "ci_jobs"("contacted_at") WHERE "status" = 'running' AND "kind" = 'job';
CREATE INDEX "ci_jobs_runner_idx" ON "ci_jobs"("runner_id", "id") WHERE "runner_id" IS NOT NULL;
