-- AlterTable
ALTER TABLE "ci_jobs" ADD COLUMN     "issued_digest" BYTEA;

-- CreateTable
CREATE TABLE "runners" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "group_id" INTEGER,
    "creator_id" INTEGER,
    "description" TEXT NOT NULL DEFAULT '',
    "maintenance_note" TEXT,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "locked" BOOLEAN NOT NULL DEFAULT false,
    "run_untagged" BOOLEAN NOT NULL DEFAULT true,
    "protected" BOOLEAN NOT NULL DEFAULT false,
    "maximum_timeout" INTEGER,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "token_digest" BYTEA NOT NULL,
    "contacted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "runners_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runner_managers" (
    "id" SERIAL NOT NULL,
    "runner_id" INTEGER NOT NULL,
    "system_id" TEXT NOT NULL,
    "version" TEXT,
    "revision" TEXT,
    "platform" TEXT,
    "architecture" TEXT,
    "executor" TEXT,
    "ip_address" TEXT,
    "contacted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "runner_managers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runner_projects" (
    "id" SERIAL NOT NULL,
    "runner_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,

    CONSTRAINT "runner_projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runner_registration_tokens" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER,
    "group_id" INTEGER,
    "digest" BYTEA NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "runner_registration_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "runners_token_digest_key" ON "runners"("token_digest");

-- CreateIndex
CREATE INDEX "runners_kind_id_idx" ON "runners"("kind", "id");

-- CreateIndex
CREATE INDEX "runners_group_id_id_idx" ON "runners"("group_id", "id");

-- CreateIndex
CREATE INDEX "runners_creator_id_idx" ON "runners"("creator_id");

-- CreateIndex
CREATE UNIQUE INDEX "runner_managers_runner_id_system_id_key" ON "runner_managers"("runner_id", "system_id");

-- CreateIndex
CREATE INDEX "runner_projects_project_id_runner_id_idx" ON "runner_projects"("project_id", "runner_id");

-- CreateIndex
CREATE UNIQUE INDEX "runner_projects_runner_id_project_id_key" ON "runner_projects"("runner_id", "project_id");

-- CreateIndex
CREATE UNIQUE INDEX "runner_registration_tokens_project_id_key" ON "runner_registration_tokens"("project_id");

-- CreateIndex
CREATE UNIQUE INDEX "runner_registration_tokens_group_id_key" ON "runner_registration_tokens"("group_id");

-- CreateIndex
CREATE UNIQUE INDEX "runner_registration_tokens_digest_key" ON "runner_registration_tokens"("digest");

-- AddForeignKey
ALTER TABLE "ci_jobs" ADD CONSTRAINT "ci_jobs_runner_id_fkey" FOREIGN KEY ("runner_id") REFERENCES "runners"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_jobs" ADD CONSTRAINT "ci_jobs_runner_manager_id_fkey" FOREIGN KEY ("runner_manager_id") REFERENCES "runner_managers"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runners" ADD CONSTRAINT "runners_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runners" ADD CONSTRAINT "runners_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runner_managers" ADD CONSTRAINT "runner_managers_runner_id_fkey" FOREIGN KEY ("runner_id") REFERENCES "runners"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runner_projects" ADD CONSTRAINT "runner_projects_runner_id_fkey" FOREIGN KEY ("runner_id") REFERENCES "runners"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runner_projects" ADD CONSTRAINT "runner_projects_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runner_registration_tokens" ADD CONSTRAINT "runner_registration_tokens_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runner_registration_tokens" ADD CONSTRAINT "runner_registration_tokens_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One token of the instance: the row without a place.
CREATE UNIQUE INDEX "runner_registration_tokens_instance_key" ON "runner_registration_tokens"((true)) WHERE "project_id" IS NULL AND "group_id" IS NULL;

-- How many jobs of a project run, which is fair among projects.
CREATE INDEX "ci_jobs_running_of_projects_idx" ON "ci_jobs"("project_id") WHERE "status" = 'running' AND "kind" = 'job';
