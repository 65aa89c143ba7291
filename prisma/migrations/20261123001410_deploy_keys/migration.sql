-- AlterTable
ALTER TABLE "ssh_keys" ADD COLUMN     "creator_id" INTEGER,
ADD COLUMN     "public" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "deploy_key_projects" (
    "id" SERIAL NOT NULL,
    "key_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "can_push" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deploy_key_projects_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "deploy_key_projects_key_id_project_id_idx" ON "deploy_key_projects"("key_id", "project_id");

-- CreateIndex
CREATE INDEX "deploy_key_projects_project_id_id_idx" ON "deploy_key_projects"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "deploy_key_projects_project_id_key_id_key" ON "deploy_key_projects"("project_id", "key_id");

-- CreateIndex
CREATE INDEX "ssh_keys_creator_id_idx" ON "ssh_keys"("creator_id");

-- AddForeignKey
ALTER TABLE "ssh_keys" ADD CONSTRAINT "ssh_keys_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deploy_key_projects" ADD CONSTRAINT "deploy_key_projects_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "ssh_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deploy_key_projects" ADD CONSTRAINT "deploy_key_projects_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A key of no project is gone, unless all may enable it: also when the last project is deleted. The key is locked first, so
-- that of two projects that let it go at once, the second sees that the first did.
CREATE FUNCTION remove_unused_deploy_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM ssh_keys k WHERE k.id = OLD.key_id FOR UPDATE;
  DELETE FROM ssh_keys k
   WHERE k.id = OLD.key_id AND k.kind = 'DEPLOY' AND NOT k.public
     AND NOT EXISTS (SELECT FROM deploy_key_projects d WHERE d.key_id = k.id);
  RETURN NULL;
END $$;

CREATE TRIGGER deploy_key_unused AFTER DELETE ON deploy_key_projects
  FOR EACH ROW EXECUTE FUNCTION remove_unused_deploy_key();
