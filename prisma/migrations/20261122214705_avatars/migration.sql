-- AlterTable
ALTER TABLE "namespaces" ADD COLUMN     "avatar" TEXT;

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "avatar" TEXT;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "avatar" TEXT;

-- CreateTable
CREATE TABLE "avatars" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER,
    "group_id" INTEGER,
    "project_id" INTEGER,
    "filename" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "avatars_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "avatars_user_id_key" ON "avatars"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "avatars_group_id_key" ON "avatars"("group_id");

-- CreateIndex
CREATE UNIQUE INDEX "avatars_project_id_key" ON "avatars"("project_id");

-- AddForeignKey
ALTER TABLE "avatars" ADD CONSTRAINT "avatars_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "avatars" ADD CONSTRAINT "avatars_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "avatars" ADD CONSTRAINT "avatars_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A picture belongs to exactly one of them.
ALTER TABLE "avatars" ADD CONSTRAINT "avatars_one_owner" CHECK (num_nonnulls("user_id", "group_id", "project_id") = 1);
