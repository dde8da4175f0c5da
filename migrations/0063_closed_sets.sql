-- Columns whose values programs are told hold only words that the descriptions explain.
alter table booking_entry add constraint booking_entry_channel_known
  check (channel in ('venue_system','sms','mail','phone','desk'));

alter table webhook_delivery add constraint webhook_delivery_error_known check (error in (
  'timeout','tls','dns','blocked_address','connection','redirect','too_large','endpoint_removed','endpoint_disabled'));

alter table callback_delivery add constraint callback_delivery_event_known
  check (event in ('submission.approved','submission.rejected'));

alter table place_removed add constraint place_removed_reason_known
  check (reason in ('removed','moved','merged','demonstration'));

alter table place add constraint place_hours_source_known
  check (hours ->> 'source' in ('owner','reviewer','venue_website','map','agent'));
