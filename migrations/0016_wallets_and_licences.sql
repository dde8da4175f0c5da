-- Money: a double-entry ledger, the top-ups that people pay, and the licences that agents buy from their wallets.

-- An account is named after its kind and its holder. What people and agents hold is positive here; the money that came
-- in stands as a negative figure on cash_clearing, so that all entries together are zero.
create table ledger_account (
  id            text primary key constraint ledger_account_id_form check (id ~ (
                  '^(cash_clearing|test_clearing|platform_revenue|platform_test|refunds|refunds_test'
                  || '|(agent_wallet|agent_test):agt_[0-9a-z]{26}'
                  || '|(photographer_payable|photographer_test):mem_[0-9a-z]{26})$')),
  kind          text generated always as (split_part(id, ':', 1)) stored,
  holder_id     text generated always as (nullif(split_part(id, ':', 2), '')) stored,
  -- Test credit has a book of its own, in which nothing is money.
  test          boolean generated always as (split_part(id, ':', 1) in
                  ('test_clearing','agent_test','photographer_test','platform_test','refunds_test')) stored,
  -- Kept for holders, in the transaction of each entry. The house's own accounts have none: every licence would wait
  -- for the one before it, and their balance is the sum of their entries.
  balance_cents bigint,
  constraint ledger_account_exact unique (id, test),
  constraint ledger_account_holder_has_balance check ((balance_cents is not null) = (id like '%:%')),
  constraint ledger_balance_not_negative check (balance_cents >= 0)
);
create index ledger_account_of_holder on ledger_account (holder_id) where holder_id is not null;
insert into ledger_account (id) values
  ('cash_clearing'), ('platform_revenue'), ('refunds'), ('test_clearing'), ('platform_test'), ('refunds_test');

create table ledger_transaction (
  id        text primary key constraint ledger_transaction_id_form check (id ~ '^ltx_[0-9a-hjkmnp-tv-z]{26}$'),
  kind      text not null constraint ledger_transaction_kind_known
              check (kind in ('topup','topup_refund','licence','licence_refund','payout')),
  -- What it books: the payment, the licence, the refund. Nothing is booked twice.
  reference text not null constraint ledger_transaction_reference_present check (reference <> ''),
  test      boolean not null,
  at        timestamptz not null,
  -- The database transaction that wrote it: entries of a later one would change what is booked.
  written_by xid8 not null default pg_current_xact_id(),
  constraint ledger_transaction_once unique (kind, reference),
  constraint ledger_transaction_exact unique (id, test)
);

create table ledger_entry (
  transaction_id text not null,
  account_id     text not null,
  test           boolean not null,
  amount_cents   bigint not null constraint ledger_entry_amount_moves check (amount_cents <> 0),
  primary key (transaction_id, account_id),
  -- Through these two, test credit and money cannot stand in one transaction.
  constraint ledger_entry_of_transaction foreign key (transaction_id, test) references ledger_transaction (id, test),
  constraint ledger_entry_of_account foreign key (account_id, test) references ledger_account (id, test)
);
create index ledger_entry_by_account on ledger_entry (account_id, transaction_id);

create trigger ledger_transaction_append_only before update or delete or truncate on ledger_transaction
  for each statement execute function refuse_change();
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();
create trigger ledger_account_kept before delete or truncate on ledger_account
  for each statement execute function refuse_change();

create function book_ledger_entry() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from ledger_transaction t
                 where t.id = new.transaction_id and t.written_by = pg_current_xact_id()) then
    raise exception 'a booked transaction takes no further entry'
      using errcode = 'restrict_violation', constraint = 'ledger_transaction_closed';
  end if;
  update ledger_account set balance_cents = balance_cents + new.amount_cents
  where id = new.account_id and balance_cents is not null;
  return null;
end $$;
create trigger ledger_entry_booked after insert on ledger_entry
  for each row execute function book_ledger_entry();

create function refuse_balance_change() returns trigger language plpgsql as $$
begin
  raise exception 'a balance follows its entries'
    using errcode = 'restrict_violation', constraint = 'ledger_balance_follows_entries';
end $$;
-- After, not before: with a trigger before it, PostgreSQL would lock the row as if its key changed, and two
-- transactions that name the same account would wait for each other.
create trigger ledger_balance_follows_entries after update on ledger_account
  for each row when (pg_trigger_depth() = 0) execute function refuse_balance_change();
create trigger ledger_account_begins_empty before insert on ledger_account
  for each row when (new.balance_cents <> 0) execute function refuse_balance_change();

create function require_zero_sum() returns trigger language plpgsql as $$
begin
  if (select sum(e.amount_cents) from ledger_entry e where e.transaction_id = new.transaction_id) <> 0 then
    raise exception 'the entries of % do not sum to zero', new.transaction_id
      using errcode = 'check_violation', constraint = 'ledger_entries_sum_to_zero';
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_sum_to_zero after insert on ledger_entry
  deferrable initially deferred for each row execute function require_zero_sum();

-- What a person is asked to pay into a wallet.
create table topup (
  id           text primary key constraint topup_id_form check (id ~ '^top_[0-9a-hjkmnp-tv-z]{26}$'),
  agent_id     text not null constraint topup_agent_exists references agent,
  amount_cents integer not null constraint topup_amount_range check (amount_cents between 500 and 50000),
  created_at   timestamptz not null,
  expires_at   timestamptz not null constraint topup_ends check (expires_at > created_at),
  paid_at      timestamptz
);
create index topup_awaited on topup (agent_id, created_at) where paid_at is null;

-- What was paid: by the payment provider's session, or by the top-up's own id in the test checkout.
create table topup_payment (
  reference      text constraint topup_payment_once_per_session primary key,
  topup_id       text not null constraint topup_payment_of_topup references topup,
  test           boolean not null,
  amount_cents   integer not null constraint topup_payment_amount_positive check (amount_cents > 0),
  payment_intent text constraint topup_payment_intent_unique unique,
  refunded_cents integer not null default 0,
  transaction_id text not null constraint topup_payment_booked references ledger_transaction
                   constraint topup_payment_booked_once unique,
  paid_at        timestamptz not null,
  constraint topup_payment_refund_range check (refunded_cents between 0 and amount_cents)
);
create index topup_payment_of on topup_payment (topup_id);

-- What the provider paid back, by its own reference. It may be heard before the payment itself is.
create table payment_refund (
  payment_intent text primary key,
  refunded_cents integer not null constraint payment_refund_positive check (refunded_cents > 0),
  heard_at       timestamptz not null
);

create table photo_licence (
  id              text primary key constraint photo_licence_id_form check (id ~ '^lic_[0-9a-hjkmnp-tv-z]{26}$'),
  agent_id        text not null constraint photo_licence_agent_exists references agent,
  photo_id        text not null constraint photo_licence_photo_exists references photo,
  drop_number     integer not null,
  -- Its place in the drop, from 1: the price is the ladder's at this step.
  number          integer not null constraint photo_licence_number_range check (number between 1 and 100),
  use             text not null constraint photo_licence_use_known check (use in ('social','web','ad','ai_training')),
  price_cents     integer not null constraint photo_licence_price_positive check (price_cents > 0),
  max_price_cents bigint not null,
  test            boolean not null,
  idempotency_key text constraint photo_licence_key_length check (char_length(idempotency_key) between 1 and 255),
  sha256          bytea not null constraint photo_licence_sha256_length check (octet_length(sha256) = 32),
  attribution_line text not null,
  licensed_at     timestamptz not null,
  utc_date        date not null generated always as ((licensed_at at time zone 'UTC')::date) stored,
  expires_at      timestamptz,
  transaction_id  text not null constraint photo_licence_booked references ledger_transaction
                    constraint photo_licence_booked_once unique,
  refunded_at     timestamptz,
  refund_transaction_id text constraint photo_licence_refund_booked references ledger_transaction
                    constraint photo_licence_refund_booked_once unique,
  constraint photo_licence_step_once unique (photo_id, drop_number, number),
  constraint photo_licence_once_per_key unique (agent_id, idempotency_key),
  constraint photo_licence_within_max check (price_cents <= max_price_cents),
  constraint photo_licence_refund_whole check ((refunded_at is null) = (refund_transaction_id is null))
);
create index photo_licence_by_agent on photo_licence (agent_id, licensed_at desc, id desc);
create index photo_licence_newest on photo_licence (licensed_at desc, id desc);

-- What an agent spent on a day, whichever credit paid. The ceiling is here, so that no two purchases pass it together.
create table photo_spend (
  agent_id    text not null constraint photo_spend_agent_exists references agent,
  utc_date    date not null,
  spent_cents integer not null constraint photo_spend_daily_cap check (spent_cents between 1 and 5000),
  primary key (agent_id, utc_date)
);

create function count_photo_spend() returns trigger language plpgsql as $$
begin
  insert into photo_spend as s (agent_id, utc_date, spent_cents)
  values (new.agent_id, new.utc_date, new.price_cents)
  on conflict (agent_id, utc_date) do update set spent_cents = s.spent_cents + excluded.spent_cents;
  return null;
end $$;
create trigger photo_licence_spent after insert on photo_licence
  for each row execute function count_photo_spend();

-- A licence stays as it was sold. It can be refunded, once.
create function keep_licence() returns trigger language plpgsql as $$
begin
  if old.refunded_at is not null or new.refunded_at is null
    or to_jsonb(new) - array['refunded_at','refund_transaction_id']
       <> to_jsonb(old) - array['refunded_at','refund_transaction_id'] then
    raise exception 'a licence does not change'
      using errcode = 'restrict_violation', constraint = 'photo_licence_kept';
  end if;
  return null;
end $$;
create trigger photo_licence_kept after update on photo_licence
  for each row execute function keep_licence();
create trigger photo_licence_not_removed before delete or truncate on photo_licence
  for each statement execute function refuse_change();

-- No licence without its payment, and no payment without its licence: looked at when the transaction ends.
create function require_licence_payment() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from ledger_entry e where e.transaction_id = new.transaction_id
      and e.account_id = (case when new.test then 'agent_test:' else 'agent_wallet:' end) || new.agent_id
      and e.amount_cents = -new.price_cents) then
    raise exception 'licence % is not paid', new.id
      using errcode = 'check_violation', constraint = 'photo_licence_paid';
  end if;
  return null;
end $$;
create constraint trigger photo_licence_paid after insert on photo_licence
  deferrable initially deferred for each row execute function require_licence_payment();

create function require_booked_thing() returns trigger language plpgsql as $$
begin
  if not (case new.kind
    when 'licence' then exists (select 1 from photo_licence l where l.transaction_id = new.id)
    when 'licence_refund' then exists (select 1 from photo_licence l where l.refund_transaction_id = new.id)
    when 'topup' then exists (select 1 from topup_payment p where p.transaction_id = new.id)
    else true end)
    or not exists (select 1 from ledger_entry e where e.transaction_id = new.id) then
    raise exception '% books nothing', new.id
      using errcode = 'check_violation', constraint = 'ledger_transaction_books_something';
  end if;
  return null;
end $$;
create constraint trigger ledger_transaction_books_something after insert on ledger_transaction
  deferrable initially deferred for each row execute function require_booked_thing();

-- How many licences of a photo were sold when an agent last saw its prices: by a quote for one use, or by a search,
-- which shows all. It only decides how a refusal is worded, so a crash may lose it.
create unlogged table photo_sight (
  agent_id text not null,
  photo_id text not null,
  use      text not null constraint photo_sight_use_known check (use in ('social','web','ad','ai_training','every')),
  drop_number integer not null,
  sold     integer not null,
  seen_at  timestamptz not null,
  primary key (agent_id, photo_id, use)
);
create index photo_sight_age on photo_sight (seen_at);
