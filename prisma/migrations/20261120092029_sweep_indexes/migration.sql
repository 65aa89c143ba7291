-- What the background looks for is found without reading what stays for long.

-- CreateIndex
CREATE INDEX "authorization_codes_grant_id_expires_at_idx" ON "authorization_codes"("grant_id", "expires_at");
CREATE INDEX "device_codes_grant_id_expires_at_idx" ON "device_codes"("grant_id", "expires_at");
CREATE INDEX "grants_expires_at_id_idx" ON "grants"("expires_at", "id");

-- DropIndex: each is the beginning of one above, or was of no use
DROP INDEX "authorization_codes_expires_at_idx";
DROP INDEX "authorization_codes_grant_id_idx";
DROP INDEX "device_codes_expires_at_idx";
DROP INDEX "device_codes_grant_id_idx";
DROP INDEX "grants_expires_at_idx";

-- AlterTable
ALTER TABLE "refresh_tokens" ADD COLUMN     "sealed_until" TIMESTAMPTZ(6);

-- What is sealed already is kept for the longest window there is.
UPDATE "refresh_tokens" SET "sealed_until" = "rotated_at" + interval '10 minutes' WHERE "sealed" IS NOT NULL;

-- CreateIndex
CREATE INDEX "refresh_tokens_sealed_until_idx" ON "refresh_tokens"("sealed_until");

-- DropIndex
DROP INDEX "refresh_tokens_rotated_at_idx";
