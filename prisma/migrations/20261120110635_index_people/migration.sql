-- CreateIndex
CREATE INDEX "personal_access_tokens_created_at_id_idx" ON "personal_access_tokens"("created_at", "id");

-- CreateIndex
CREATE INDEX "users_name_id_idx" ON "users"("name", "id");

-- CreateIndex
CREATE INDEX "users_username_id_idx" ON "users"("username", "id");

-- CreateIndex
CREATE INDEX "users_created_at_id_idx" ON "users"("created_at", "id");

-- CreateIndex
CREATE INDEX "users_updated_at_id_idx" ON "users"("updated_at", "id");

-- CreateIndex
CREATE INDEX "users_state_id_idx" ON "users"("state", "id");

-- CreateIndex
CREATE INDEX "users_administrator_id_idx" ON "users"("administrator", "id");

-- CreateIndex
CREATE INDEX "users_public_email_idx" ON "users"("public_email");

-- Searching people by any part of a name, where the database has pg_trgm.
DO $$
BEGIN
  CREATE INDEX "users_search_idx" ON "users" USING GIN ("name" gin_trgm_ops, "username" gin_trgm_ops);
EXCEPTION
  WHEN undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available (%): searching reads whole tables', SQLERRM;
END
$$;
