-- AlterTable
ALTER TABLE "events" ADD COLUMN     "imported" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "origins" (
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "origins_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "imported_records" (
    "origin_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "local_id" INTEGER,
    "digest" BYTEA,
    "stamp" TEXT,

    CONSTRAINT "imported_records_pkey" PRIMARY KEY ("origin_id","kind","key")
);

-- CreateTable
CREATE TABLE "imported_parts" (
    "origin_id" INTEGER NOT NULL,
    "part" TEXT NOT NULL,

    CONSTRAINT "imported_parts_pkey" PRIMARY KEY ("origin_id","part")
);

-- CreateIndex
CREATE UNIQUE INDEX "origins_url_key" ON "origins"("url");

-- AddForeignKey
ALTER TABLE "imported_records" ADD CONSTRAINT "imported_records_origin_id_fkey" FOREIGN KEY ("origin_id") REFERENCES "origins"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imported_parts" ADD CONSTRAINT "imported_parts_origin_id_fkey" FOREIGN KEY ("origin_id") REFERENCES "origins"("id") ON DELETE CASCADE ON UPDATE CASCADE;
