-- AlterTable
ALTER TABLE "former_paths" ADD COLUMN     "namespace_id" INTEGER,
ALTER COLUMN "project_id" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "former_paths_namespace_id_idx" ON "former_paths"("namespace_id");

-- AddForeignKey
ALTER TABLE "former_paths" ADD CONSTRAINT "former_paths_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
