-- AlterTable
ALTER TABLE "merge_requests" ADD COLUMN     "merge_after" TIMESTAMPTZ(3);
