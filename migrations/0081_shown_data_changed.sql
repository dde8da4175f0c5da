-- Notifies the pages that show a row. The argument of a trigger lists its topics: names of lists, and columns with ids (of
-- the new row, $1). All nodes receive them on their listening connection.
create function notify_shown_data() returns trigger language plpgsql as $$
declare
  topics text;
begin
  execute 'select concat_ws('' '', ' || tg_argv[0] || ')' into topics using new;
  perform pg_notify('shown_data_changed', topics);
  return null;
end $$;

create trigger booking_shown after insert or update of status, revision, last_sequence, answer_by, frozen_at on booking
  for each row execute function notify_shown_data('''bookings'', $1.id, $1.place_id, $1.partner_id, $1.member_id');
create trigger venue_ask_shown after insert or update of state, taken_by, not_before on venue_ask
  for each row execute function notify_shown_data('''desk'', $1.booking_id');
create trigger desk_task_shown after insert or update on desk_task
  for each row execute function notify_shown_data('''desk''');
create trigger webhook_delivery_shown after insert or update of state, error, last_http_status on webhook_delivery
  for each row execute function notify_shown_data('''deliveries'', $1.partner_id');
create trigger webhook_endpoint_shown after insert or update of disabled_reason on webhook_endpoint
  for each row execute function notify_shown_data('$1.partner_id');
create trigger photo_shown after insert or update of state on photo
  for each row execute function notify_shown_data('''photos'', $1.member_id');
create trigger submission_shown after insert or update of status on submission
  for each row execute function notify_shown_data('''submissions''');
create trigger message_shown after insert or update of state on message
  for each row when (new.state <> 'sending') execute function notify_shown_data('''outbox''');
create trigger kill_switch_shown after update on kill_switch
  for each row execute function notify_shown_data('''bookings''');
