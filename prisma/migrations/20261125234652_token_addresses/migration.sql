-- AlterTable
ALTER TABLE "personal_access_tokens" ADD COLUMN     "last_used_ip" TEXT;
