-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "epic_id" INTEGER;

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_epic_id_user_id_key" ON "subscriptions"("epic_id", "user_id");

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_epic_id_fkey" FOREIGN KEY ("epic_id") REFERENCES "epics"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Each is about one thing.
ALTER TABLE "subscriptions" DROP CONSTRAINT "subscriptions_one_subject", ADD CONSTRAINT "subscriptions_one_subject" CHECK (num_nonnulls(issue_id, label_id, merge_request_id, epic_id) = 1);
