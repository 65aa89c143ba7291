-- AlterTable
ALTER TABLE "ref_changes" ADD COLUMN     "imported" BOOLEAN NOT NULL DEFAULT false;
