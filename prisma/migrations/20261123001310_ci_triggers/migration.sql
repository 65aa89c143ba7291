-- CreateTable
CREATE TABLE "ci_triggers" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "owner_id" INTEGER,
    "description" TEXT,
    "digest" BYTEA NOT NULL,
    "sealed" BYTEA NOT NULL,
    "start" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ci_triggers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ci_triggers_digest_key" ON "ci_triggers"("digest");

-- CreateIndex
CREATE INDEX "ci_triggers_project_id_id_idx" ON "ci_triggers"("project_id", "id");

-- CreateIndex
CREATE INDEX "ci_triggers_owner_id_idx" ON "ci_triggers"("owner_id");

-- AddForeignKey
ALTER TABLE "ci_triggers" ADD CONSTRAINT "ci_triggers_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ci_triggers" ADD CONSTRAINT "ci_triggers_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
