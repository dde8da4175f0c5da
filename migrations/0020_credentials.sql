-- An exchanged refresh token may come back once, shortly afterwards. Whatever comes after that ends its grant.
alter table oauth_token
  add column consumed_again_at timestamptz,
  add constraint oauth_token_consumed_again_after_once
    check (consumed_again_at is null or (kind = 'RefreshToken' and consumed_at is not null));

-- A mailbox is proven by whoever uses a code or a link that was mailed to it. What was issued before the first proof may
-- be in a stranger's hands, who named the address of somebody else, and so it ends with that proof.
alter table partner add column email_verified_at timestamptz;

-- Whoever had used a mailed link or a mailed key has proven the mailbox then; the audit trail outlives the links.
update agent a set email_verified_at = (
  select min(used_at) from recovery_link l where l.agent_id = a.id)
where email_verified_at is null;
update partner p set email_verified_at = (
  select min(at) from audit_log l
  where l.subject = p.id and l.operation in ('partner_sign_in', 'take_over_partner_key'));

-- Table requests are for proven mailboxes. Where they were on without that, they wait for it.
insert into audit_log (at, actor, operation, request_id, subject, detail)
select now(), 'service', 'partner_bookings', '0020_credentials', id,
       '{"enabled": false, "reason": "The mailbox of the account is not proven."}'
from partner where bookings_enabled and email_verified_at is null;
update partner set bookings_enabled = false, bookings_reason = 'The mailbox of the account is not proven.',
  bookings_at = now(), bookings_by = null
where bookings_enabled and email_verified_at is null;
alter table partner add constraint partner_bookings_need_proof
  check (not bookings_enabled or email_verified_at is not null);

-- Why a key ended, where whoever still sends it has to be told something else than that it was revoked.
alter table api_key
  add column revoked_because text constraint api_key_revoked_because_known check (revoked_because = 'mailbox_proven'),
  add constraint api_key_reason_of_end check (revoked_because is null or revoked_at is not null);
