-- Every membership has a number now. A migration of its own, because it also locks out reads, for as long as one scan
-- of the tables takes.

-- AlterTable
ALTER TABLE "group_members" ALTER COLUMN "id" SET NOT NULL;

-- AlterTable
ALTER TABLE "project_members" ALTER COLUMN "id" SET NOT NULL;
