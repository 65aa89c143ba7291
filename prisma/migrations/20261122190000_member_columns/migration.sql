-- Memberships get a number, the person who added the member, and the time of their last change. These steps write no
-- rows, so that reads wait only for a moment. Processes of the version before insert rows with the defaults.

-- AlterTable
ALTER TABLE "group_members" ADD COLUMN "id" INTEGER,
ADD COLUMN "created_by_id" INTEGER,
ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
CREATE SEQUENCE "group_members_id_seq" AS INTEGER OWNED BY "group_members"."id";
ALTER TABLE "group_members" ALTER COLUMN "id" SET DEFAULT nextval('group_members_id_seq');

-- AlterTable
ALTER TABLE "project_members" ADD COLUMN "id" INTEGER,
ADD COLUMN "created_by_id" INTEGER,
ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
CREATE SEQUENCE "project_members_id_seq" AS INTEGER OWNED BY "project_members"."id";
ALTER TABLE "project_members" ALTER COLUMN "id" SET DEFAULT nextval('project_members_id_seq');

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
