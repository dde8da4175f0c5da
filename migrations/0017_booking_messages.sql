-- Messages to venues about tables, which stop with the kill switch. A venue is never asked twice, so such a message is
-- sent at most once: when nobody can tell whether it left, it ends as unsure and is not sent again.
alter table message
  drop constraint message_state_known,
  drop constraint message_body_goes_when_final,
  drop constraint message_final_has_time,
  add constraint message_state_known check (state in ('queued','outbox','sending','sent','unsure','failed')),
  add constraint message_body_goes_when_final check ((body is null) = (state in ('sent','unsure','failed'))),
  add constraint message_final_has_time check ((finished_at is not null) = (state in ('sent','unsure','failed'))),
  add constraint message_unsure_only_of_booking check (state <> 'unsure' or stops_when_halted);
