-- AlterEnum
ALTER TYPE "CounterKind" ADD VALUE 'EPIC';

-- CreateTable
CREATE TABLE "epics" (
    "id" SERIAL NOT NULL,
    "group_id" INTEGER NOT NULL,
    "iid" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "state" "IssueState" NOT NULL DEFAULT 'OPENED',
    "author_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "epics_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "epics_group_id_created_at_id_idx" ON "epics"("group_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "epics_group_id_updated_at_id_idx" ON "epics"("group_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "epics_group_id_title_id_idx" ON "epics"("group_id", "title", "id");

-- CreateIndex
CREATE INDEX "epics_author_id_idx" ON "epics"("author_id");

-- CreateIndex
CREATE UNIQUE INDEX "epics_group_id_iid_key" ON "epics"("group_id", "iid");

-- AddForeignKey
ALTER TABLE "epics" ADD CONSTRAINT "epics_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "epics" ADD CONSTRAINT "epics_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
