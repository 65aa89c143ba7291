-- Who was mentioned in a snippet, or in a comment on one, is told of further comments.
-- CreateTable
CREATE TABLE "snippet_participants" (
    "snippet_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "snippet_participants_pkey" PRIMARY KEY ("snippet_id","user_id")
);

-- CreateIndex
CREATE INDEX "snippet_participants_user_id_idx" ON "snippet_participants"("user_id");

-- AddForeignKey
ALTER TABLE "snippet_participants" ADD CONSTRAINT "snippet_participants_snippet_id_fkey" FOREIGN KEY ("snippet_id") REFERENCES "snippets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snippet_participants" ADD CONSTRAINT "snippet_participants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
