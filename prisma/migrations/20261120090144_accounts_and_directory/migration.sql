-- CreateEnum
CREATE TYPE "MailedTokenKind" AS ENUM ('VERIFY_EMAIL', 'RESET_PASSWORD');

-- AlterTable
ALTER TABLE "instance" ADD COLUMN     "settings" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "namespaces" ADD COLUMN     "deleting_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "personal_access_tokens" ADD COLUMN     "description" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "family_id" INTEGER,
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "rotated_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "archived" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "deleting_since" TIMESTAMPTZ(3),
ADD COLUMN     "forked_from_id" INTEGER,
ADD COLUMN     "forks_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "last_activity_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "star_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "topics" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "deleting_since" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "stars" (
    "user_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stars_pkey" PRIMARY KEY ("user_id","project_id")
);

-- CreateTable
CREATE TABLE "second_factors" (
    "user_id" INTEGER NOT NULL,
    "sealed_seed" BYTEA NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pending_sign_ins" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "password_checked_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pending_sign_ins_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mailed_tokens" (
    "id" SERIAL NOT NULL,
    "kind" "MailedTokenKind" NOT NULL,
    "user_id" INTEGER NOT NULL,
    "email_id" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mailed_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "stars_project_id_idx" ON "stars"("project_id");

-- CreateIndex
CREATE UNIQUE INDEX "recovery_codes_digest_key" ON "recovery_codes"("digest");

-- CreateIndex
CREATE INDEX "recovery_codes_user_id_idx" ON "recovery_codes"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "pending_sign_ins_digest_key" ON "pending_sign_ins"("digest");

-- CreateIndex
CREATE INDEX "pending_sign_ins_user_id_idx" ON "pending_sign_ins"("user_id");

-- CreateIndex
CREATE INDEX "pending_sign_ins_expires_at_idx" ON "pending_sign_ins"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "mailed_tokens_digest_key" ON "mailed_tokens"("digest");

-- CreateIndex
CREATE INDEX "mailed_tokens_user_id_idx" ON "mailed_tokens"("user_id");

-- CreateIndex
CREATE INDEX "mailed_tokens_email_id_idx" ON "mailed_tokens"("email_id");

-- CreateIndex
CREATE INDEX "mailed_tokens_expires_at_idx" ON "mailed_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "namespaces_deleting_since_idx" ON "namespaces"("deleting_since");

-- CreateIndex
CREATE INDEX "personal_access_tokens_family_id_idx" ON "personal_access_tokens"("family_id");

-- CreateIndex
CREATE INDEX "projects_forked_from_id_idx" ON "projects"("forked_from_id");

-- CreateIndex
CREATE INDEX "projects_deleting_since_idx" ON "projects"("deleting_since");

-- CreateIndex
CREATE INDEX "users_deleting_since_idx" ON "users"("deleting_since");

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_forked_from_id_fkey" FOREIGN KEY ("forked_from_id") REFERENCES "projects"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stars" ADD CONSTRAINT "stars_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stars" ADD CONSTRAINT "stars_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_sign_ins" ADD CONSTRAINT "pending_sign_ins_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mailed_tokens" ADD CONSTRAINT "mailed_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mailed_tokens" ADD CONSTRAINT "mailed_tokens_email_id_fkey" FOREIGN KEY ("email_id") REFERENCES "emails"("id") ON DELETE CASCADE ON UPDATE CASCADE;
