-- CreateTable
CREATE TABLE "commit_comments" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "sha" TEXT NOT NULL,
    "author_id" INTEGER NOT NULL,
    "note" TEXT NOT NULL,
    "path" TEXT,
    "line" INTEGER,
    "line_type" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "commit_comments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "commit_comments_project_id_sha_id_idx" ON "commit_comments"("project_id", "sha", "id");

-- CreateIndex
CREATE INDEX "commit_comments_author_id_idx" ON "commit_comments"("author_id");

-- AddForeignKey
ALTER TABLE "commit_comments" ADD CONSTRAINT "commit_comments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commit_comments" ADD CONSTRAINT "commit_comments_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
