-- AlterTable
ALTER TABLE "ref_changes" ADD COLUMN     "ci_options" TEXT[];
