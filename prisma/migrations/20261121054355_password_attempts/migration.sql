-- CreateTable
CREATE TABLE "auth"."password_attempts" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "kept_session_id" UUID,
    "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "password_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "password_attempts_user_id_idx" ON "auth"."password_attempts"("user_id");

-- AddForeignKey
ALTER TABLE "auth"."password_attempts" ADD CONSTRAINT "password_attempts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
