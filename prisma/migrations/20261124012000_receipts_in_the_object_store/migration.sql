-- Printed receipts are in the object store now. A replica of the version before prints each anew.
-- DropTable
DROP TABLE "ticketing"."printed_receipt";
