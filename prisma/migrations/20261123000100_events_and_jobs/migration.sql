-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "kind" TEXT NOT NULL,
    "actor_id" INTEGER,
    "group_id" INTEGER,
    "project_id" INTEGER,
    "subject_kind" TEXT NOT NULL,
    "subject_id" INTEGER NOT NULL,
    "ids" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "jobs" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "key" TEXT,
    "payload" JSONB NOT NULL,
    "priority" SMALLINT NOT NULL DEFAULT 1,
    "run_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease" UUID,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "max_attempts" SMALLINT NOT NULL,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dead_at" TIMESTAMPTZ(3),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_periods" (
    "name" TEXT NOT NULL,
    "period" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_periods_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "events_project_id_id_idx" ON "events"("project_id", "id");

-- CreateIndex
CREATE INDEX "events_group_id_id_idx" ON "events"("group_id", "id");

-- CreateIndex
CREATE INDEX "events_actor_id_id_idx" ON "events"("actor_id", "id");

-- What may be claimed, in the order of the claims.
CREATE INDEX "jobs_due_idx" ON "jobs"("priority", "run_at", "id") WHERE "dead_at" IS NULL;

-- Of the jobs with the same name and key, one waits at most, while one runs; one is a dead letter at most.
CREATE UNIQUE INDEX "jobs_waiting_key" ON "jobs"("name", "key") WHERE "lease" IS NULL AND "dead_at" IS NULL;
CREATE INDEX "jobs_running_idx" ON "jobs"("name", "key") WHERE "lease" IS NOT NULL;
CREATE UNIQUE INDEX "jobs_dead_key" ON "jobs"("name", "key") WHERE "dead_at" IS NOT NULL;

-- Every row is written three times and deleted soon: vacuum early, so that a claim doesn't pass many dead rows.
ALTER TABLE "jobs" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
