-- An exchanged refresh token may come back once, shortly afterwards. Whatever comes after that ends its grant.
alter table oauth_token
  add column consumed_again_at timestamptz,
  add constraint oauth_token_consumed_again_after_once
    check (consumed_again_at is null or (kind = 'RefreshToken' and consumed_at is not null));
