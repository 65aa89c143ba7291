-- AlterTable
ALTER TABLE "personal_access_tokens" ADD COLUMN     "session_id" INTEGER;

-- CreateIndex
CREATE INDEX "personal_access_tokens_session_id_idx" ON "personal_access_tokens"("session_id") WHERE "session_id" IS NOT NULL;

-- AddForeignKey
ALTER TABLE "personal_access_tokens" ADD CONSTRAINT "personal_access_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
