-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "default_branch" TEXT,
ADD COLUMN     "import_status" TEXT,
ADD COLUMN     "readme_path" TEXT;

-- CreateTable
CREATE TABLE "repositories" (
    "project_id" INTEGER NOT NULL,
    "storage" TEXT NOT NULL DEFAULT 'default',
    "size" BIGINT NOT NULL DEFAULT 0,
    "commits" INTEGER NOT NULL DEFAULT 0,
    "writes" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "written_at" TIMESTAMPTZ(3),

    CONSTRAINT "repositories_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "ref_changes" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "ref" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,
    "actor_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "applied" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "ref_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "protected_branches" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "push_access_level" INTEGER NOT NULL DEFAULT 40,
    "merge_access_level" INTEGER NOT NULL DEFAULT 40,
    "allow_force_push" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "protected_branches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "repository_storages" (
    "name" TEXT NOT NULL,
    "mark" TEXT NOT NULL,

    CONSTRAINT "repository_storages_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "ref_changes_project_id_id_idx" ON "ref_changes"("project_id", "id");

-- CreateIndex
CREATE INDEX "ref_changes_actor_id_idx" ON "ref_changes"("actor_id");

-- CreateIndex
CREATE INDEX "ref_changes_created_at_idx" ON "ref_changes"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "protected_branches_project_id_name_key" ON "protected_branches"("project_id", "name");

-- AddForeignKey
ALTER TABLE "ref_changes" ADD CONSTRAINT "ref_changes_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "protected_branches" ADD CONSTRAINT "protected_branches_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- After a crash, these are finished first.
CREATE INDEX "ref_changes_unapplied_idx" ON "ref_changes"("project_id", "id") WHERE NOT "applied";
