-- AlterTable
ALTER TABLE "users" ADD COLUMN     "can_create_group" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "external" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "private_profile" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "projects_limit" INTEGER NOT NULL DEFAULT 100000;
