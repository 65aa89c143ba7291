-- AlterTable
ALTER TABLE "pipelines" ADD COLUMN     "warnings" TEXT[] DEFAULT ARRAY[]::TEXT[];
