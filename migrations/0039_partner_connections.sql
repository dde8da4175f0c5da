-- Partners, too, connect clients by OAuth: a connection is of an agent or of a partner, and for one endpoint.
alter table oauth_grant
  alter column agent_id drop not null,
  add column partner_id text constraint oauth_grant_partner_exists references partner on delete cascade,
  add constraint oauth_grant_of_one_account check (num_nonnulls(agent_id, partner_id) = 1),
  drop constraint oauth_grant_scopes_known,
  add constraint oauth_grant_scopes_known check (cardinality(scopes) > 0 and case
    when partner_id is null then scopes <@ array['read','write'] else scopes <@ array['partner.read','bookings'] end);
create index oauth_grant_by_partner on oauth_grant (partner_id, created_at desc);

-- What a public client said of itself. Whoever says the same again is the same client: a host that registers once for
-- each of its users has one row. A client with a secret has none, because the secret tells it from others.
alter table oauth_client
  add column fingerprint bytea constraint oauth_client_fingerprint_sha256 check (octet_length(fingerprint) = 32),
  add constraint oauth_client_fingerprint_unique unique (fingerprint),
  add constraint oauth_client_secret_is_not_shared check (fingerprint is null or sealed_secret is null);
