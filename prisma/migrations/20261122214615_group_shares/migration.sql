-- Locks of sharing, which are attributes of groups. They may be there already.
ALTER TABLE "namespaces" ADD COLUMN IF NOT EXISTS "prevent_sharing_groups_outside_hierarchy" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN IF NOT EXISTS "share_with_group_lock" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "group_shares" (
    "group_id" INTEGER NOT NULL,
    "invited_group_id" INTEGER NOT NULL,
    "access_level" SMALLINT NOT NULL,
    "expires_at" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_shares_pkey" PRIMARY KEY ("group_id","invited_group_id")
);

-- CreateTable
CREATE TABLE "project_shares" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "invited_group_id" INTEGER NOT NULL,
    "access_level" SMALLINT NOT NULL,
    "expires_at" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_shares_pkey" PRIMARY KEY ("project_id","invited_group_id")
);

-- CreateIndex
CREATE INDEX "group_shares_invited_group_id_idx" ON "group_shares"("invited_group_id");

-- CreateIndex
CREATE INDEX "group_shares_expires_at_idx" ON "group_shares"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "project_shares_id_key" ON "project_shares"("id");

-- CreateIndex
CREATE INDEX "project_shares_invited_group_id_idx" ON "project_shares"("invited_group_id");

-- CreateIndex
CREATE INDEX "project_shares_expires_at_idx" ON "project_shares"("expires_at");

-- AddForeignKey
ALTER TABLE "group_shares" ADD CONSTRAINT "group_shares_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_shares" ADD CONSTRAINT "group_shares_invited_group_id_fkey" FOREIGN KEY ("invited_group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_shares" ADD CONSTRAINT "project_shares_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_shares" ADD CONSTRAINT "project_shares_invited_group_id_fkey" FOREIGN KEY ("invited_group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- PostgreSQL takes a table that was never analyzed for a large one, and would plan every look-up of a role for that.
ANALYZE "group_shares";
ANALYZE "project_shares";
