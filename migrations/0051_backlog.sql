-- What waits is counted at every look of the operator's, and what is old is deleted every hour: neither reads all that ever was.
create index message_age on message (created_at);
create index message_pending on message (channel, created_at) where state in ('queued','sending');
create index message_in_outbox on message (created_at) where state = 'outbox';
create index callback_delivery_pending on callback_delivery (created_at) where state = 'pending';
