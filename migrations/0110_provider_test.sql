-- Tests of a provider that a lead starts on the set-up page, and the event that the provider sent about each.
create table provider_test (
  id          text primary key constraint provider_test_id_form check (id ~ '^tst_[0-9a-hjkmnp-tv-z]{26}$'),
  kind        text not null constraint provider_test_kind_known check (kind in ('payment','call')),
  started_by  text not null constraint provider_test_by_staff references staff,
  started_at  timestamptz not null,
  -- The state that the provider reported, and when.
  answer      text constraint provider_test_answer_length check (char_length(answer) between 1 and 40),
  answered_at timestamptz,
  -- Why the test could not be started, in our own words.
  error       text constraint provider_test_error_length check (char_length(error) between 1 and 300),
  constraint provider_test_answer_whole check ((answer is null) = (answered_at is null))
);
create index provider_test_by_kind on provider_test (kind, started_at desc);
create trigger provider_test_shown after insert or update on provider_test
  for each row execute function notify_shown_data('''provider_tests''');
