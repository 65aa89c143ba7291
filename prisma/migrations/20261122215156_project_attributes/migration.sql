-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "attributes" JSONB NOT NULL DEFAULT '{}';
