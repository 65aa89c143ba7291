-- AlterTable
ALTER TABLE "users" ADD COLUMN     "second_factor_due_at" TIMESTAMPTZ(3);
