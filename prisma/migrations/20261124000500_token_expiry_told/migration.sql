-- AlterTable
ALTER TABLE "personal_access_tokens" ADD COLUMN     "expiry_told_at" TIMESTAMPTZ(3);

-- Tokens whose person is mailed before they expire.
CREATE INDEX "personal_access_tokens_to_tell_idx" ON "personal_access_tokens"("expires_at")
  WHERE "expiry_told_at" IS NULL AND "revoked_at" IS NULL AND "session_id" IS NULL;
