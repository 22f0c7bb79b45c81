CREATE TYPE auth.applicant_state AS ENUM ('pending', 'declined', 'active');

ALTER TABLE auth.organizations ADD COLUMN applicant_state auth.applicant_state;

-- One that was declined, and approved later, has neither an organization at the provider nor an administrator: its
-- application is open, and the next approval makes both.
UPDATE auth.organizations
SET applicant_state = (CASE
  WHEN idp_org_id IS NOT NULL THEN 'active'
  WHEN status = 'disabled' THEN 'declined'
  ELSE 'pending'
END)::auth.applicant_state
WHERE applicant_email IS NOT NULL;
