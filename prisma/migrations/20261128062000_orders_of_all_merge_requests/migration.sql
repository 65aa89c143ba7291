-- CreateIndex
CREATE INDEX "merge_requests_title_id_idx" ON "merge_requests"("title", "id");

-- CreateIndex
CREATE INDEX "merge_requests_upvotes_id_idx" ON "merge_requests"("upvotes", "id");
