-- Numbers the memberships that exist. Reads go on meanwhile; changes of memberships wait. The lock comes first, so
-- that no transaction that holds a row waits for this one.
LOCK TABLE "group_members", "project_members" IN EXCLUSIVE MODE;

UPDATE "group_members" SET "id" = DEFAULT, "updated_at" = "created_at" WHERE "id" IS NULL;
UPDATE "project_members" SET "id" = DEFAULT, "updated_at" = "created_at" WHERE "id" IS NULL;

-- CreateIndex
CREATE UNIQUE INDEX "group_members_id_key" ON "group_members"("id");

-- CreateIndex
CREATE INDEX "group_members_created_by_id_idx" ON "group_members"("created_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "project_members_id_key" ON "project_members"("id");

-- CreateIndex
CREATE INDEX "project_members_created_by_id_idx" ON "project_members"("created_by_id");
