-- AlterTable
ALTER TABLE "namespaces" ADD COLUMN     "attributes" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "emails_enabled" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "mentions_disabled" BOOLEAN,
ADD COLUMN     "prevent_sharing_groups_outside_hierarchy" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "project_creation_level" TEXT NOT NULL DEFAULT 'developer',
ADD COLUMN     "request_access_enabled" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "require_two_factor_authentication" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "share_with_group_lock" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "shared_runners_setting" TEXT NOT NULL DEFAULT 'enabled',
ADD COLUMN     "subgroup_creation_level" TEXT NOT NULL DEFAULT 'maintainer',
ADD COLUMN     "two_factor_grace_period" INTEGER NOT NULL DEFAULT 48;
