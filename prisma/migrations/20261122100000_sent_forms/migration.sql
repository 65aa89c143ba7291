-- CreateTable
CREATE TABLE "sent_forms" (
    "form_id" TEXT NOT NULL,
    "session_id" INTEGER NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sealed" BYTEA,
    "sealed_until" TIMESTAMPTZ(3),

    CONSTRAINT "sent_forms_pkey" PRIMARY KEY ("form_id")
);

-- CreateIndex
CREATE INDEX "sent_forms_session_id_idx" ON "sent_forms"("session_id");

-- CreateIndex
CREATE INDEX "sent_forms_sealed_until_idx" ON "sent_forms"("sealed_until");

-- AddForeignKey
ALTER TABLE "sent_forms" ADD CONSTRAINT "sent_forms_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
