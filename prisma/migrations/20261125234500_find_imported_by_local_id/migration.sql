-- CreateIndex
CREATE INDEX "imported_records_origin_id_kind_local_id_idx" ON "imported_records"("origin_id", "kind", "local_id");
