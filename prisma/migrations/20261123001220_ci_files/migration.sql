-- CreateTable
CREATE TABLE "ci_traces" (
    "id" SERIAL NOT NULL,
    "job_id" INTEGER,
    "location" TEXT NOT NULL,
    "size" BIGINT NOT NULL DEFAULT 0,
    "debug" BOOLEAN NOT NULL DEFAULT false,
    "sealed_masks" BYTEA,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ci_traces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ci_artifacts" (
    "id" SERIAL NOT NULL,
    "job_id" INTEGER,
    "kind" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "filename" TEXT NOT NULL,
    "size" BIGINT NOT NULL DEFAULT 0,
    "sha256" BYTEA,
    "location" TEXT NOT NULL,
    "public" BOOLEAN NOT NULL DEFAULT true,
    "expires_at" TIMESTAMPTZ(3),
    "complete" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ci_artifacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ci_test_reports" (
    "job_id" INTEGER NOT NULL,
    "problem" TEXT,
    "cases" JSONB NOT NULL,

    CONSTRAINT "ci_test_reports_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "ci_reported_variables" (
    "job_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "ci_reported_variables_pkey" PRIMARY KEY ("job_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "ci_traces_job_id_key" ON "ci_traces"("job_id");

-- CreateIndex
CREATE UNIQUE INDEX "ci_traces_location_key" ON "ci_traces"("location");

-- CreateIndex
CREATE UNIQUE INDEX "ci_artifacts_location_key" ON "ci_artifacts"("location");

-- CreateIndex
CREATE INDEX "ci_artifacts_job_id_idx" ON "ci_artifacts"("job_id");

-- AddForeignKey
ALTER TABLE "ci_traces" ADD CONSTRAINT "ci_traces_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "ci_jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_artifacts" ADD CONSTRAINT "ci_artifacts_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "ci_jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_test_reports" ADD CONSTRAINT "ci_test_reports_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "ci_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_reported_variables" ADD CONSTRAINT "ci_reported_variables_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "ci_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is to be removed: files whose job is gone, that expired, and that were never received whole.
CREATE INDEX "ci_traces_abandoned_idx" ON "ci_traces"("id") WHERE "job_id" IS NULL;
CREATE INDEX "ci_artifacts_abandoned_idx" ON "ci_artifacts"("id") WHERE "job_id" IS NULL;
CREATE INDEX "ci_artifacts_expiring_idx" ON "ci_artifacts"("expires_at") WHERE "expires_at" IS NOT NULL;
CREATE INDEX "ci_artifacts_incomplete_idx" ON "ci_artifacts"("created_at") WHERE NOT "complete";

-- A job has one file of a kind.
CREATE UNIQUE INDEX "ci_artifacts_kind_key" ON "ci_artifacts"("job_id", "kind") WHERE "complete";
