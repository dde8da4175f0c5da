-- OAuth 2.1 for MCP clients: who was connected by whom, the tokens of each connection, and how operators sign in.
-- Tokens, codes and the names of steps are stored as hashes, so that the database alone opens nothing.

-- Set when somebody entered a code that was mailed to the operator.
alter table agent add column email_verified_at timestamptz;

-- Clients that registered themselves. One that is known by the address of its own document has no row here.
create table oauth_client (
  id              text primary key constraint oauth_client_id_form check (id ~ '^ocl_[0-9a-hjkmnp-tv-z]{26}$'),
  metadata        jsonb not null constraint oauth_client_metadata_plain
                    check (jsonb_typeof(metadata) = 'object' and not metadata ? 'client_secret'),
  -- Encrypted under a secret of the installation, for the few clients that asked for one.
  sealed_secret   bytea,
  registered_from text not null,
  created_at      timestamptz not null,
  last_used_at    timestamptz not null
);
create index oauth_client_idle on oauth_client (last_used_at);

-- A client that an operator has connected. Deleting the row ends every token of it in the same moment.
create table oauth_grant (
  id           text primary key constraint oauth_grant_id_form check (id ~ '^ogr_[0-9a-hjkmnp-tv-z]{26}$'),
  agent_id     text not null constraint oauth_grant_agent_exists references agent on delete cascade,
  -- The id of a registered client, or the address of a client's document.
  client_id    text not null,
  client_name  text not null constraint oauth_grant_client_named check (client_name <> ''),
  client_host  text not null,
  audience     text not null,
  scopes       text[] not null constraint oauth_grant_scopes_known
                 check (cardinality(scopes) > 0 and scopes <@ array['read','write']),
  created_at   timestamptz not null,
  last_used_at timestamptz
);
create index oauth_grant_by_agent on oauth_grant (agent_id, created_at desc);
create index oauth_grant_by_client on oauth_grant (client_id);

create table oauth_token (
  hash        bytea primary key constraint oauth_token_sha256 check (octet_length(hash) = 32),
  kind        text not null constraint oauth_token_kind_known
                check (kind in ('AuthorizationCode','AccessToken','RefreshToken')),
  grant_id    text not null constraint oauth_token_grant_exists references oauth_grant on delete cascade,
  payload     jsonb not null constraint oauth_token_payload_without_token check (not payload ? 'jti'),
  expires_at  timestamptz not null,
  -- When it was exchanged. A code or a refresh token that comes again after that ends its whole grant.
  consumed_at timestamptz,
  constraint oauth_token_access_not_consumed check (kind <> 'AccessToken' or consumed_at is null)
);
create index oauth_token_by_grant on oauth_token (grant_id);
create index oauth_token_age on oauth_token (expires_at);

-- A request for authorization that waits for a person.
create table oauth_interaction (
  uid_hash   bytea primary key constraint oauth_interaction_sha256 check (octet_length(uid_hash) = 32),
  payload    jsonb not null constraint oauth_interaction_payload_without_uid
               check (not payload ? 'jti' and not payload ? 'returnTo'),
  expires_at timestamptz not null
);
create index oauth_interaction_age on oauth_interaction (expires_at);

-- Codes that were mailed to somebody who wants to sign in as an operator, known or not.
create table operator_code (
  id         text primary key constraint operator_code_id_form check (id ~ '^osi_[0-9a-hjkmnp-tv-z]{26}$'),
  email      text not null constraint operator_code_email_lower check (email = lower(email)),
  code_hash  bytea not null constraint operator_code_hmac check (octet_length(code_hash) = 32),
  tries      integer not null default 0 constraint operator_code_tries_range check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index operator_code_age on operator_code (expires_at);

-- An operator is known by the mailbox; the account is made when the first client is approved.
create table operator_session (
  token_hash bytea primary key constraint operator_session_sha256 check (octet_length(token_hash) = 32),
  email      text not null constraint operator_session_email_lower check (email = lower(email)),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint operator_session_ends check (expires_at > created_at)
);
create index operator_session_age on operator_session (expires_at);
