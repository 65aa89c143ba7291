-- CreateTable
CREATE TABLE "ci_variables" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER,
    "group_id" INTEGER,
    "key" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "variable_type" TEXT NOT NULL DEFAULT 'env_var',
    "protected" BOOLEAN NOT NULL DEFAULT false,
    "masked" BOOLEAN NOT NULL DEFAULT false,
    "hidden" BOOLEAN NOT NULL DEFAULT false,
    "raw" BOOLEAN NOT NULL DEFAULT false,
    "environment_scope" TEXT NOT NULL DEFAULT '*',
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ci_variables_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ci_variables_project_id_key_environment_scope_key" ON "ci_variables"("project_id", "key", "environment_scope");

-- CreateIndex
CREATE UNIQUE INDEX "ci_variables_group_id_key_environment_scope_key" ON "ci_variables"("group_id", "key", "environment_scope");

-- AddForeignKey
ALTER TABLE "ci_variables" ADD CONSTRAINT "ci_variables_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_variables" ADD CONSTRAINT "ci_variables_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A variable of the instance belongs to no place.
CREATE UNIQUE INDEX "ci_variables_instance_key" ON "ci_variables"("key", "environment_scope")
  WHERE "project_id" IS NULL AND "group_id" IS NULL;
