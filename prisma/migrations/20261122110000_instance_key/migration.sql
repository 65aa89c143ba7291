-- Which instance key this database belongs to, by its fingerprint: a gateway with
-- another key is refused before it opens or seals anything.

-- CreateTable
CREATE TABLE "instance_key" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "fingerprint" TEXT NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_key_pkey" PRIMARY KEY ("id")
);
