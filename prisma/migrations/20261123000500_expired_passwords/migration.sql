-- AlterTable
ALTER TABLE "users" ADD COLUMN     "password_expired" BOOLEAN NOT NULL DEFAULT false;
