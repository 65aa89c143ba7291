-- CreateEnum
CREATE TYPE "SshKeyKind" AS ENUM ('PERSON', 'DEPLOY');

-- CreateEnum
CREATE TYPE "SshKeyUsage" AS ENUM ('AUTH', 'SIGNING', 'AUTH_AND_SIGNING');

-- CreateTable
CREATE TABLE "ssh_keys" (
    "id" SERIAL NOT NULL,
    "kind" "SshKeyKind" NOT NULL DEFAULT 'PERSON',
    "user_id" INTEGER,
    "title" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint_sha256" BYTEA NOT NULL,
    "fingerprint_md5" BYTEA NOT NULL,
    "usage_type" "SshKeyUsage" NOT NULL DEFAULT 'AUTH_AND_SIGNING',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "ssh_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ssh_host_keys" (
    "type" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "public_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ssh_host_keys_pkey" PRIMARY KEY ("type")
);

-- CreateIndex
CREATE UNIQUE INDEX "ssh_keys_fingerprint_sha256_key" ON "ssh_keys"("fingerprint_sha256");

-- CreateIndex
CREATE INDEX "ssh_keys_user_id_id_idx" ON "ssh_keys"("user_id", "id");

-- CreateIndex
CREATE INDEX "ssh_keys_fingerprint_md5_idx" ON "ssh_keys"("fingerprint_md5");

-- AddForeignKey
ALTER TABLE "ssh_keys" ADD CONSTRAINT "ssh_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A key of a person goes with the person; one of projects belongs to nobody.
ALTER TABLE "ssh_keys" ADD CONSTRAINT "ssh_keys_of_person" CHECK ((kind = 'PERSON') = (user_id IS NOT NULL));
