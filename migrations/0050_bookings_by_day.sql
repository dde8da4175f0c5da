-- Staff look for the bookings of one day, the newest first.
create index booking_by_date on booking (date, id desc);
