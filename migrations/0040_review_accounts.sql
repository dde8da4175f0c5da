-- Accounts with which a reviewer of a directory signs in by a code that is not mailed. There is none until an operator
-- makes one, its mailbox belongs to no other account, and it ends by itself.
create table review_account (
  email      text primary key constraint review_account_email_lower check (email = lower(email)),
  agent_id   text not null constraint review_account_agent_exists references agent,
  code_hash  bytea not null constraint review_account_hmac check (octet_length(code_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint review_account_bounded check (expires_at > created_at and expires_at <= created_at + interval '366 days')
);
