-- The hourly clean-up finds the ended deliveries whose content or whose row has to go, without reading the others.
create index callback_delivery_age on callback_delivery (finished_at) where data is not null;
create index callback_delivery_ended on callback_delivery (finished_at) where finished_at is not null;
create index webhook_delivery_ended on webhook_delivery (finished_at) where finished_at is not null;
