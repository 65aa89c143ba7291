-- CreateEnum
CREATE TYPE "BlockedAs" AS ENUM ('DEACTIVATED', 'BANNED', 'BLOCKED_PENDING_APPROVAL');

-- CreateEnum
CREATE TYPE "Availability" AS ENUM ('NOT_SET', 'BUSY');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "blocked_as" "BlockedAs",
ADD COLUMN     "created_by_id" INTEGER,
ADD COLUMN     "current_sign_in_at" TIMESTAMPTZ(3),
ADD COLUMN     "current_sign_in_ip" TEXT,
ADD COLUMN     "last_sign_in_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_sign_in_ip" TEXT,
ADD COLUMN     "sign_in_count" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "identities" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "extern_uid" TEXT NOT NULL,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_statuses" (
    "user_id" INTEGER NOT NULL,
    "emoji" TEXT NOT NULL,
    "message" TEXT,
    "availability" "Availability" NOT NULL DEFAULT 'NOT_SET',
    "clear_status_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_statuses_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "identities_user_id_provider_key" ON "identities"("user_id", "provider");

-- CreateIndex
CREATE INDEX "user_statuses_clear_status_at_idx" ON "user_statuses"("clear_status_at");

-- CreateIndex
CREATE INDEX "users_created_by_id_idx" ON "users"("created_by_id");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_statuses" ADD CONSTRAINT "user_statuses_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One account for each name at a provider, whatever its case.
CREATE UNIQUE INDEX "identities_provider_extern_uid_key" ON "identities"("provider", lower("extern_uid"));
