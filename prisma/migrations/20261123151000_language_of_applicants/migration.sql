-- New: the language of the page on which somebody applied; the mail that approves it is in it.
ALTER TABLE "auth"."organizations" ADD COLUMN     "applicant_language" TEXT;
