-- What `workflow: auto_cancel` of a configuration says about its pipeline.
ALTER TABLE "pipelines" ADD COLUMN "cancel_on_new_commit" TEXT,
ADD COLUMN "cancel_on_job_failure" TEXT;
